// The sentence of the lenses: one token asks, and lines lead from it to the others, as thick as their weights.
import { nothing, svg } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import { text } from '../app/locale/text.js';
import { shortest } from '../stage/draw/format.js';
import { widthOf } from '../stage/elements/lettering.js';

/** Of the drawing, in its own units: the type, the room between two words, and the line on which they stand. */
const TYPE = 29;
const GAP = 0.42 * TYPE;
const LINE = 140;
const HEIGHT = 178;
/** Around a word that is framed. */
const [ASIDE, ABOVE] = [8, 33];
/** Room for the next word, if that is not wider. */
const NEXT = 110;
/** A smaller weight is seen in its line alone. */
const SMALLEST = 0.05;
/** Of the weights below the words: their type; smaller where they are all alike; the room between two. */
const [SHARE, ALIKE, APART] = [22, 19, 4];
const WIDEST = 20;

/** Where each word stands: its middle and its width. A full stop stands at the word before it.
 * @param {string[]} words @param {Node} within */
function placesOf(words, within) {
  let end = 0;
  const places = words.map((word) => {
    const start = word === '.' && end ? end + 2 : end + GAP;
    const width = TYPE * widthOf(word, within, 'serif', 400);
    end = start + width;
    return { word, x: start + width / 2, width };
  });
  return { places, end };
}

/** Which weights are written, how large, and whether they are all alike: the largest first, and none over another.
 * @param {number[]} weights @param {{ x: number }[]} places @param {(share: number) => string} percent @param {Node} within */
function sharesOf(weights, places, percent, within) {
  const seen = weights.flatMap((weight, j) => (weight >= SMALLEST ? [j] : []));
  const texts = weights.map(percent);
  const areAlike = seen.length > 2 && new Set(seen.map((j) => texts[j])).size === 1;
  const [type, weight] = areAlike ? [ALIKE, 400] : [SHARE, 600];
  const half = (/** @type {number} */ j) => (type * widthOf(texts[j], within, 'sans', weight)) / 2;
  /** @type {number[]} */
  const written = [];
  for (const j of seen.toSorted((a, b) => weights[b] - weights[a])) {
    const fits = written.every(
      (i) => Math.abs(places[i].x - places[j].x) > half(i) + half(j) + APART,
    );
    if (fits) written.push(j);
  }
  return { written, texts, areAlike };
}

/** What each word does where the sentence is alive: called what, pointed at, pressed; none where only a scene's gate uses it.
 * @typedef {{ does: (j: number) => string | undefined, point: (j: number, event?: MouseEvent) => void, press: (j: number, event?: MouseEvent) => void, changes: (j: number) => boolean }} Hands */

/**
 * @param {{ tokens: string[], row: number, weights: number[], part: number, next: string, isSure: boolean, percent: (share: number) => string, within: Node, hands?: Hands }} drawn
 *   part: how far the lines have grown; next: empty while it is to come; isSure: whether it is likelier than not; within:
 *   whose faces the words have
 */
export function sentenceOf({ tokens, row, weights, part, next, isSure, percent, within, hands }) {
  const { places, end } = placesOf(tokens, within);
  const asking = places[row];
  const start = end + GAP + ASIDE / 2;
  const room = Math.max(NEXT, TYPE * widthOf(next, within, 'serif', 700) + 8);
  const width = start + room + GAP;
  const shares = sharesOf(weights, places, percent, within);
  return svg`<svg
    class="sentence"
    viewBox="0 0 ${width} ${HEIGHT}"
    style=${`--wide: ${width}`}
    role="group"
    aria-label=${text('lessons/lens/sentence', { text: tokens.join(' ') })}
  >
    ${part > 0 ? weights.map((weight, j) => lineOf(asking.x, places[j].x, weight, part, j === row)) : nothing}
    ${places.map(
      ({ word, x, width: wide }, j) => svg`<g
        class=${classMap({ token: true, asks: j === row, changes: !!hands?.changes(j) })}
        data-gate=${`tokens:${j}`}
        role=${hands ? 'button' : nothing}
        tabindex=${hands ? 0 : nothing}
        aria-description=${hands?.does(j) ?? nothing}
        @pointerenter=${hands && ((/** @type {PointerEvent} */ event) => hands.point(j, event))}
        @focus=${hands && (() => hands.point(j))}
        @click=${hands && ((/** @type {MouseEvent} */ event) => hands.press(j, event))}
        @keydown=${hands && ((/** @type {KeyboardEvent} */ event) => pressed(event) && hands.press(j))}
      >
        <rect x=${x - wide / 2 - ASIDE} y=${LINE - ABOVE} width=${wide + 2 * ASIDE} height="47" rx="6" />
        ${hands?.changes(j) ? svg`<path class="swap" d="M${x - wide / 2 + 2} ${LINE + 7}h${wide - 4}" />` : nothing}
        <text x=${x} y=${LINE} text-anchor="middle">${word}</text>
        ${
          part === 1 && shares.written.includes(j)
            ? svg`<text class=${classMap({ share: true, alike: shares.areAlike })} x=${x} y=${LINE + 33} text-anchor="middle"
                font-size=${shares.areAlike ? ALIKE : SHARE} data-node="weights" data-index=${`${row},${j}`}
                data-value=${shortest(weights[j])}>${shares.texts[j]}</text>`
            : nothing
        }
      </g>`,
    )}
    <g class="gap">
      <path d="M${start} ${LINE + 8}h${room}" />
      <text class=${classMap({ coming: true, unsure: !isSure })} x=${start + 4} y=${LINE}>${next}</text>
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
  const top = LINE - 40;
  const height = Math.min(110, 40 + Math.abs(from - to) / 4);
  const width = Math.max(1, WIDEST * weight) * part;
  const way = isOwn
    ? `M${from - 16} ${top}c-26 -70 58 -70 32 0`
    : `M${from} ${top}C${from} ${top - height} ${to} ${top - height} ${to} ${top}`;
  return svg`<path class="line" d=${way} stroke-width=${width} />`;
}
