// The sentence of the lenses: one token asks, and lines lead from it to the others, as thick as their weights.
import { nothing, svg } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import { text } from '../app/locale/text.js';
import { shortest } from '../stage/draw/format.js';

/** Of the drawing, in its own units: a letter, the room between two words, and the line on which they stand. */
const LETTER = 15;
const GAP = 20;
const LINE = 150;
const HEIGHT = 190;
/** Letters of the room for the next word. */
const NEXT = 7;
/** A smaller weight is seen in its line alone. */
const SMALLEST = 0.05;
const WIDEST = 20;

/** Where each word stands. @param {string[]} words */
function placesOf(words) {
  let x = GAP;
  const places = words.map((word) => {
    const width = LETTER * Math.max(1.5, word.length);
    const place = { word, x: x + width / 2, width };
    x += width + GAP;
    return place;
  });
  return { places, width: x };
}

/** What each word does where the sentence is alive: called what, pointed at, pressed; none where only a scene's gate uses it.
 * @typedef {{ does: (j: number) => string | undefined, point: (j: number) => void, press: (j: number) => void, changes: (j: number) => boolean }} Hands */

/**
 * @param {{ tokens: string[], row: number, weights: number[], part: number, isLinked: boolean, next: string, isSure: boolean, percent: (share: number) => string, hands?: Hands }} drawn
 *   part: how far the lines have grown; isLinked: whether there are lines, now or later; next: empty while it is to come;
 *   isSure: whether it is likelier than not
 */
export function sentenceOf({ tokens, row, weights, part, isLinked, next, isSure, percent, hands }) {
  const { places, width } = placesOf([...tokens, 'm'.repeat(Math.max(NEXT, next.length))]);
  const asking = places[row];
  const gap = places[places.length - 1];
  const top = isLinked ? 0 : LINE - 44;
  return svg`<svg
    class="sentence"
    viewBox="0 ${top} ${width} ${(isLinked ? HEIGHT : LINE + 24) - top}"
    style=${`--wide: ${width}`}
    role="group"
    aria-label=${text('lessons/lens/sentence', { text: tokens.join(' ') })}
  >
    ${part > 0 ? weights.map((weight, j) => lineOf(asking.x, places[j].x, weight, part, j === row)) : nothing}
    ${places.slice(0, -1).map(
      ({ word, x, width: wide }, j) => svg`<g
        class=${classMap({ token: true, asks: j === row, changes: !!hands?.changes(j) })}
        data-gate=${`tokens:${j}`}
        role=${hands ? 'button' : nothing}
        tabindex=${hands ? 0 : nothing}
        aria-description=${hands?.does(j) ?? nothing}
        @pointerenter=${hands && (() => hands.point(j))}
        @focus=${hands && (() => hands.point(j))}
        @click=${hands && (() => hands.press(j))}
        @keydown=${hands && ((/** @type {KeyboardEvent} */ event) => pressed(event) && hands.press(j))}
      >
        <rect x=${x - wide / 2 - GAP / 2 + 2} y=${LINE - 34} width=${wide + GAP - 4} height="48" rx="6" />
        ${hands?.changes(j) ? svg`<path class="swap" d="M${x - wide / 2 + 4} ${LINE + 9}h${wide - 8}" />` : nothing}
        <text x=${x} y=${LINE} text-anchor="middle">${word}</text>
        ${
          part === 1 && weights[j] >= SMALLEST
            ? svg`<text class="share" x=${x} y=${LINE + 34} text-anchor="middle" data-node="weights" data-index=${`${row},${j}`}
                data-value=${shortest(weights[j])}>${percent(weights[j])}</text>`
            : nothing
        }
      </g>`,
    )}
    <g class="gap">
      <path d="M${gap.x - gap.width / 2} ${LINE + 8}h${gap.width}" />
      <text class=${classMap({ coming: true, unsure: !isSure })} x=${gap.x - gap.width / 2 + 4} y=${LINE}>${next}</text>
    </g>
  </svg>`;
}

/** A button that is no button of HTML hears keys itself. @param {KeyboardEvent} event */
function pressed(event) {
  if (!['Enter', ' '].includes(event.key)) return false;
  event.preventDefault();
  event.stopPropagation();
  return true;
}

/**
 * @param {number} from @param {number} to @param {number} weight @param {number} part
 * @param {boolean} isOwn whether the token looks at itself
 */
function lineOf(from, to, weight, part, isOwn) {
  const top = LINE - 42;
  const height = Math.min(100, 40 + Math.abs(from - to) / 4);
  const width = Math.max(1, WIDEST * weight) * part;
  const way = isOwn
    ? `M${from - 16} ${top}c-26 -70 58 -70 32 0`
    : `M${from} ${top}C${from} ${top - height} ${to} ${top - height} ${to} ${top}`;
  return svg`<path class="line" d=${way} stroke-width=${width} />`;
}
