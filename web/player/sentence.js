// A sentence one word of which asks: lines lead from it to the others, as thick as their attention weights. A long one
// stands in several lines, and so do a text and its translation.
import { nothing, svg } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import { language, text } from '../app/locale/text.js';
import { display, shortest } from '../stage/draw/format.js';
import { isStop } from '../stage/draw/names.js';
import { widthOf } from '../stage/elements/lettering.js';
import { isPresented, roomObserver, unitOf } from '../stage/elements/room.js';
import { numberText } from './core.js';
import './sentence.css';

/** Of the drawing, in its own units: the type, and the room between two words. */
const TYPE = 29;
const GAP = 0.47 * TYPE;
/** Around a word that is framed, from the line on which it stands. */
const [ASIDE, ABOVE, BELOW] = [7, 33, 14];
/** How high a line may rise above words of its own line, and from word to word where several lines are written. */
const RISE = 83;
const PITCH = 104;
/** px of the smallest type, in a narrow element and in a wide one: a sentence has several lines to be no smaller. */
const [NARROW, WIDE] = [17, 19];
/** How much of that there is on a slide, whose type is larger. */
const FROM_AFAR = 0.75;
/** Room for the next word, if that is not wider. */
const NEXT = 110;
/** A smaller weight is seen in its line alone. */
const SMALLEST = 0.025;
/** Of the weights at the words: their type; smaller where they are all alike, or crowded; the room between two, and to the word. */
const [SHARE, ALIKE, APART, OFF] = [25, 19, 4, 36];
/** How far from the middle of its word a weight may stand; and what is too large to be left out. */
const [ASIDE_OF, LARGE] = [8, 0.1];
const WIDEST = 20;
/** Between a word's frame and the end of a line. */
const OFF_LINE = 7;
/** A corner of a line that goes around words. */
const ROUND = 12;

/** Words of one language, and the attention weight of each, if it has one.
 * @typedef {{ words: readonly string[], lang?: string }} Part */
/** @typedef {import('../stage/draw/tensor.js').Cell} Cell */
/** How well the key of a word fits the query of the one that asks; null while it is asked for.
 * @typedef {{ of: number, value: number | null, cell: Cell }} Score */
/** Where a word stands: its middle, the line of writing, its width; lang: of which language it is.
 * @typedef {{ word: string, lang?: string, x: number, line: number, width: number }} Place */

/** How much of the longest line all lines may take, if that makes no more of them: then none is much shorter. */
const PARTS = [0.55, 0.65, 0.75, 0.85, 0.92, 1];

/** Words one behind the other, in lines no longer than a room; each part begins a line.
 * @param {Omit<Place, 'x' | 'line'>[][]} parts @param {number} room */
function linesOf(parts, room) {
  /** @type {Place[]} */
  const places = [];
  /** @type {number[]} */
  const ends = [];
  for (const words of parts) {
    ends.push(0);
    /* Whether a quotation has begun. */
    let isSaid = false;
    /* Whether the next word stands at this one. */
    let isOpening = false;
    for (const one of words) {
      const isMark = one.word === '"';
      const isEnd = isStop(one.word) || (isMark && isSaid);
      const isAtWord = (isEnd || isOpening) && ends[ends.length - 1] > 0;
      isOpening = isMark && !isSaid;
      if (isMark) isSaid = !isSaid;
      const wanted = one.width + (isAtWord ? 2 : GAP);
      if (!isAtWord && ends[ends.length - 1] + wanted > room) ends.push(0);
      const line = ends.length - 1;
      ends[line] += wanted;
      places.push({ ...one, line, x: ends[line] - one.width / 2 });
    }
  }
  return { places, ends };
}

/** Places for all words, the last of them that of the next word, if there is one.
 * @param {readonly Part[]} parts @param {number} next how wide that is; 0 for none @param {Node} within @param {number} room
 * @param {number} alone how wide the only line of writing may be */
function placesOf(parts, next, within, room, alone) {
  const measured = parts.map(({ words, lang }) =>
    words.map((word) => ({ word, lang, width: TYPE * widthOf(word, within, 'serif', 400) })),
  );
  if (next) measured.at(-1)?.push({ word: '', lang: undefined, width: next + ASIDE / 2 });
  const one = linesOf(measured, alone);
  const all = one.ends.length === 1 ? one : linesOf(measured, room);
  const longest = Math.max(...all.ends);
  const { places, ends } =
    PARTS.map((part) => linesOf(measured, part * longest)).find(
      (lines) => lines.ends.length === all.ends.length,
    ) ?? all;
  const width = Math.max(...ends) + GAP;
  const centred = places.map((one) => ({ ...one, x: one.x + (width - GAP - ends[one.line]) / 2 }));
  return { places: centred, gap: next ? centred.pop() : undefined, width };
}

/** Which weights are written, how large and where: the largest first, and none over another.
 * @param {readonly number[]} weights @param {Place[]} places @param {Node} within @param {number} least that is written */
function sharesOf(weights, places, within, least) {
  const seen = weights.flatMap((weight, j) => (weight >= least ? [j] : []));
  /* Without softmax they are no shares. */
  const areShares = weights.every((weight) => weight >= 0 && weight <= 1);
  const texts = weights.map((weight) =>
    areShares ? numberText(weight, language(), 'percent') : display(weight),
  );
  const areAlike = seen.length > 2 && new Set(seen.map((j) => texts[j])).size === 1;
  const weight = areAlike ? 400 : 600;
  /* The largest are written, if need be in smaller type. */
  const hasLarge = (/** @type {{ written: number[] }} */ { written }) =>
    seen.every((j) => weights[j] < LARGE || written.includes(j));
  const usual = arrangedOf(areAlike ? ALIKE : SHARE);
  if (areAlike || hasLarge(usual)) return { texts, ...usual };
  const smaller = arrangedOf(ALIKE);
  return { texts, ...(hasLarge(smaller) ? smaller : usual) };

  /** The largest first, each below its word, or a little aside where that is taken. @param {number} type */
  function arrangedOf(type) {
    const half = (/** @type {number} */ j) =>
      (type * widthOf(texts[j], within, 'sans', weight)) / 2;
    const middles = places.map(({ x }) => x);
    /** @type {number[]} */
    const written = [];
    for (const j of seen.toSorted((a, b) => weights[b] - weights[a])) {
      const isFree = (/** @type {number} */ middle) =>
        written.every(
          (i) =>
            places[i].line !== places[j].line ||
            Math.abs(middles[i] - middle) > half(i) + half(j) + APART - 1,
        );
      const middle = [0, ASIDE_OF, -ASIDE_OF].map((aside) => places[j].x + aside).find(isFree);
      if (middle === undefined) continue;
      middles[j] = middle;
      written.push(j);
    }
    return { written, middles, type };
  }
}

/** How wide a line of writing may be where an element's sentences may have several. */
export class SentenceRoom {
  units = Number.POSITIVE_INFINITY;

  /** @param {import('lit').ReactiveElement} host */
  constructor(host) {
    this.host = host;
    this.observer = roomObserver(({ width }) => {
      const seen = isPresented(host) ? FROM_AFAR * unitOf(host) : 1;
      const least = seen * Math.min(WIDE, Math.max(NARROW, width / 40));
      this.units = width ? (width * TYPE) / least : Number.POSITIVE_INFINITY;
      host.requestUpdate();
    });
    host.addController(this);
  }

  hostConnected() {
    this.observer.observe(this.host);
    document.fonts.addEventListener('loadingdone', this);
  }

  /** Faces came: words have other widths. */
  handleEvent() {
    this.host.requestUpdate();
  }

  hostDisconnected() {
    this.observer.disconnect();
    document.fonts.removeEventListener('loadingdone', this);
  }
}

/** What each word does where the sentence is alive: called what, pointed at, pressed; none where only a scene's gate uses it.
 * @typedef {{ does: (j: number) => string | undefined, point: (j: number, event?: MouseEvent) => void, press: (j: number, event?: MouseEvent) => void, changes: (j: number) => boolean }} Hands */

/**
 * @param {object} drawn
 * @param {readonly Part[]} drawn.parts
 * @param {number} drawn.row which word asks, of all; as many as there are for the next word
 * @param {readonly number[]} [drawn.weights] of the first words
 * @param {readonly Score[]} [drawn.scores] numbers that stand on lines of one thickness
 * @param {number} drawn.grown how far the lines have grown, from 0 to 1
 * @param {boolean} [drawn.asked] whether there are lines before they grow: thin ones
 * @param {string} [drawn.next] the next word; empty while it is to come; none where none is said
 * @param {boolean} [drawn.isSure] whether that is likelier than not
 * @param {(j: number) => Cell} [drawn.cellOf] a weight
 * @param {Node} drawn.within whose faces the words have
 * @param {number} [drawn.room] how wide a line of writing may be, in the drawing's units
 * @param {number} [drawn.alone] the same where it is the only one
 * @param {number} [drawn.rise] how high a line may rise where one line is written
 * @param {number} [drawn.pitch] from one line of writing to the next
 * @param {number} [drawn.least] a smaller weight is not written
 * @param {Hands} [drawn.hands]
 */
export function sentenceOf({
  parts,
  row,
  weights = [],
  scores = [],
  grown,
  asked,
  next,
  isSure,
  cellOf,
  within,
  room = Number.POSITIVE_INFINITY,
  alone = room,
  rise = RISE,
  pitch = PITCH,
  least = SMALLEST,
  hands,
}) {
  const written = next ? TYPE * widthOf(next, within, 'serif', 700) : 0;
  const wide = next === undefined ? 0 : Math.max(NEXT, written + 8);
  const { places, gap, width } = placesOf(parts, wide, within, room, alone);
  /* Lines lead from the word that is written, not from the middle of its room. */
  const coming = gap && { ...gap, x: next ? gap.x - (wide - written) / 2 + 4 : gap.x };
  const asking = places[row] ?? coming ?? places[places.length - 1];
  const above = asking.line ? ABOVE + OFF : ABOVE + OFF_LINE + rise + WIDEST / 2;
  const baseOf = (/** @type {{ line: number }} */ { line }) => above + line * pitch;
  const height = baseOf(gap ?? places[places.length - 1]) + (asking.line ? BELOW : OFF + 12);
  const shares = sharesOf(weights, places, within, least);
  const way = { from: asking, baseOf, width, rise: asking.line ? pitch - ABOVE - BELOW : rise };
  return svg`<svg
    class="sentence"
    viewBox="0 0 ${width} ${height}"
    style=${`--wide: ${width}; --high: ${height}`}
    role="group"
    aria-label=${text('lessons/lens/sentence', { text: places.map(({ word }) => word).join(' ') })}
  >
    ${
      grown > 0 || asked
        ? weights.map((weight, j) => lineOf(weight, grown, wayOf({ ...way, to: places[j] })))
        : nothing
    }
    ${scores.map((one) => scoreOf(one, { ...way, to: places[one.of] }))}
    ${places.map((place, j) => {
      const y = baseOf(place);
      const isWritten = grown === 1 && shares.written.includes(j);
      const end = {
        x: shares.middles[j] ?? place.x,
        y: place.line < asking.line ? y - OFF : y + OFF,
      };
      const share = isWritten
        ? shareOf(shares, j, { ...end, cell: cellOf?.(j), weight: weights[j] })
        : nothing;
      return wordOf(place, { y, j, asks: j === row, share, hands });
    })}
    ${gap ? gapOf(gap, { y: baseOf(gap), wide, next, isSure }) : nothing}
  </svg>`;
}

/** @param {Place} place
 * @param {{ y: number, j: number, asks: boolean, share: unknown, hands?: Hands }} of share: its weight, written */
const wordOf = ({ word, lang, x, width }, { y, j, asks, share, hands }) => svg`<g
  class=${classMap({ token: true, asks, starts: /^<.*>$/.test(word), changes: !!hands?.changes(j) })}
  data-gate=${`tokens:${j}`}
  role=${hands ? 'button' : nothing}
  tabindex=${hands ? 0 : nothing}
  aria-description=${hands?.does(j) ?? nothing}
  @pointerenter=${hands && ((/** @type {PointerEvent} */ event) => hands.point(j, event))}
  @focus=${hands && (() => hands.point(j))}
  @click=${hands && ((/** @type {MouseEvent} */ event) => hands.press(j, event))}
  @keydown=${hands && ((/** @type {KeyboardEvent} */ event) => pressed(event) && hands.press(j))}
>
  <rect x=${x - width / 2 - ASIDE} y=${y - ABOVE} width=${width + 2 * ASIDE} height=${ABOVE + BELOW} rx="6" />
  ${hands?.changes(j) ? svg`<path class="swap" d="M${x - width / 2 + 2} ${y + 7}h${width - 4}" />` : nothing}
  <text x=${x} y=${y} text-anchor="middle" lang=${lang ?? nothing}>${word}</text>
  ${share}
</g>`;

/** @param {ReturnType<typeof sharesOf>} shares @param {number} j
 * @param {{ x: number, y: number, cell?: Cell, weight: number }} of */
const shareOf = ({ type, texts }, j, { x, y, cell, weight }) => svg`<text
  class=${type === ALIKE ? 'share alike' : 'share'} x=${x} y=${y} text-anchor="middle" font-size=${type}
  data-node=${cell?.node ?? nothing} data-index=${cell?.index.join() ?? nothing} data-value=${shortest(weight)}>${texts[j]}</text>`;

/** The next word, or the room for it. @param {Place} gap
 * @param {{ y: number, wide: number, next?: string, isSure?: boolean }} of */
const gapOf = ({ x }, { y, wide, next, isSure }) => svg`<g
  class="gap"
  role=${next ? nothing : 'img'}
  aria-label=${next ? nothing : text('lessons/sentence/gap')}
>
  <path d="M${x - wide / 2} ${y + 8}h${wide}" />
  <text class=${classMap({ coming: true, unsure: isSure === false })} x=${x - wide / 2 + 4} y=${y}>${next}</text>
</g>`;

/** A button that is no button of HTML hears keys itself. @param {KeyboardEvent} event */
function pressed(event) {
  if (!['Enter', ' '].includes(event.key)) return false;
  event.preventDefault();
  event.stopPropagation();
  return true;
}

/** A line as thick as its weight. @param {number} weight @param {number} grown @param {string} way */
const lineOf = (weight, grown, way) => svg`<path
  class=${classMap({ line: true, asked: !grown, faint: grown > 0 && weight < SMALLEST })}
  d=${way} stroke-width=${grown > 0 ? Math.max(1, WIDEST * Math.min(1, weight)) * grown : 1} />`;

/** A line with its number, on the middle of the arc. @param {Score} score @param {Parameters<typeof wayOf>[0]} ends */
function scoreOf({ value, cell }, ends) {
  const { from, to, baseOf, rise } = ends;
  const x = (from.x + to.x) / 2;
  const y = baseOf(from) - ABOVE - OFF_LINE - 0.75 * highOf(from, to, rise) + SHARE / 3;
  return svg`<path class="line score" d=${wayOf(ends)} />
    <text class="share" x=${x} y=${y} text-anchor="middle" font-size=${SHARE}
      data-node=${cell.node} data-index=${cell.index.join()} data-value=${value === null ? nothing : shortest(value)}
      >${value === null ? '?' : display(value)}</text>`;
}

/** How far the middle of an arc is pulled up. @param {Place} from @param {Place} to @param {number} rise */
const highOf = (from, to, rise) => Math.min(rise / 0.75, 40 + Math.abs(from.x - to.x) / 4);

/** The way of a line: an arc above one line of writing, a curve up to the line before; to lines before that, around the words.
 * @param {{ from: Place, to: Place, baseOf: (place: Place) => number, width: number, rise: number }} of */
function wayOf({ from, to, baseOf, width, rise }) {
  const top = baseOf(from) - ABOVE - OFF_LINE;
  if (from.line === to.line) {
    if (from === to) return `M${from.x - 16} ${top}c-26 -70 58 -70 32 0`;
    const high = highOf(from, to, rise);
    return `M${from.x} ${top}C${from.x} ${top - high} ${to.x} ${top - high} ${to.x} ${top}`;
  }
  const end = baseOf(to) + BELOW;
  if (from.line === to.line + 1) {
    const half = (top + end) / 2;
    return `M${from.x} ${top}C${from.x} ${half} ${to.x} ${half} ${to.x} ${end}`;
  }
  return `M${from.x} ${top}v${-ROUND / 2}q0 ${-ROUND} ${ROUND} ${-ROUND}H${width - ROUND}q${ROUND} 0 ${ROUND} ${-ROUND}V${end + 3 * ROUND}q0 ${-ROUND} ${-ROUND} ${-ROUND}H${to.x + ROUND}q${-ROUND} 0 ${-ROUND} ${-ROUND}V${end}`;
}
