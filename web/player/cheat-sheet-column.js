// A column of the cheat sheet: texts below each other, broken into lines, as a drawing.
import { svg } from 'lit';

/** Of a column in its own units, which are px where it has its full size. */
export const WIDTH = 350;
const SIZE = 13;
const LINE = 17;
/** How far texts stand to the right of a sign. */
const INDENT = 58;
const FONT =
  '"Source Sans 3 Variable", system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif';
const SERIF =
  '"Source Serif 4 Variable", "Iowan Old Style", "Palatino Linotype", Palatino, Georgia, serif';
/** A viewer of the file may have wider letters. */
const SPARE = 1.04;

/** @type {CanvasRenderingContext2D | null} */
let ruler = null;

/** The lines of a text in a room. @param {string} words @param {number} room @param {string} [weight] */
function linesOf(words, room, weight = '') {
  ruler ??= document.createElement('canvas').getContext('2d');
  const pen = /** @type {CanvasRenderingContext2D} */ (ruler);
  pen.font = `${weight} ${SIZE}px ${FONT}`;
  /** @type {string[]} */
  const lines = [];
  for (const word of words.split(' ')) {
    const longer = lines.length ? `${lines[lines.length - 1]} ${word}` : word;
    if (lines.length && SPARE * pen.measureText(longer).width <= room)
      lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** W_Q with its letter below the line. @param {string} line */
const subscripts = (line) =>
  line
    .split(/_(\w)/)
    .map((part, i) =>
      i % 2
        ? svg`<tspan dy="3" font-size="10">${part}</tspan>`
        : svg`<tspan dy=${i ? -3 : 0}>${part}</tspan>`,
    );

export class Column {
  height = 0;
  /** @type {unknown[]} */
  drawn = [];

  /** @param {string} words @param {{ x?: number, bold?: boolean, quiet?: boolean }} [how] */
  #text(words, { x = 0, bold = false, quiet = false } = {}) {
    const weight = bold ? '600' : '400';
    for (const line of linesOf(words, WIDTH - x, weight)) {
      this.height += LINE;
      this.drawn.push(
        svg`<text class=${quiet ? 'soft' : 'plain'} x=${x} y=${this.height - 4} font-family=${FONT} font-size=${SIZE} font-weight=${weight}>${subscripts(line)}</text>`,
      );
    }
  }

  /** @param {string} words */
  title(words) {
    this.height += 30;
    this.drawn.push(
      svg`<text class="plain" x="0" y=${this.height - 6} font-family=${SERIF} font-size="24" font-weight="600">${words}</text>`,
    );
  }

  /** @param {string} words */
  heading(words) {
    this.height += 32;
    this.drawn.push(
      svg`<path class="rule" fill="none" stroke="#999" stroke-width="0.75" d="M0 ${this.height - 23}H${WIDTH}" />`,
      svg`<text class="plain" x="0" y=${this.height - 3} font-family=${SERIF} font-size="17" font-weight="600">${words}</text>`,
    );
    this.height += 3;
  }

  /** @param {string} words */
  formula(words) {
    this.height += 36;
    this.drawn.push(
      svg`<text class="plain" x=${WIDTH / 2} y=${this.height - 8} text-anchor="middle" font-family=${SERIF} font-size="21" font-style="italic">${words}</text>`,
    );
  }

  /** @param {string} words */
  note(words) {
    this.#text(words, { quiet: true });
  }

  /** A step of the path: its sign, what it is, and a number of the sentence.
   * @param {{ sign: string, says: string, whose: string, value: string, colour: string }} of */
  step({ sign, says, whose, value, colour }) {
    this.height += 3;
    this.drawn.push(
      svg`<text class=${colour} x="0" y=${this.height + LINE - 4} font-family=${SERIF} font-size="16" font-style="italic" font-weight="600">${sign}</text>`,
    );
    this.#text(says, { x: INDENT });
    this.#text(`${whose}  ${value}`, { x: INDENT, bold: true });
  }

  /** @param {string} name @param {string} is */
  term(name, is) {
    this.height += 2;
    this.#text(name, { bold: true });
    this.#text(is, { x: 12 });
  }

  /** @param {string} title @param {{ mark: string, words: string }[]} items */
  list(title, items) {
    this.heading(title);
    for (const { mark, words } of items) this.#item(mark, words);
  }

  /** @param {string} mark @param {string} words */
  #item(mark, words) {
    this.height += 2;
    this.drawn.push(
      svg`<text class="soft" x="0" y=${this.height + LINE - 4} font-family=${FONT} font-size=${SIZE}>${mark}</text>`,
    );
    this.#text(words, { x: 20 });
  }
}
