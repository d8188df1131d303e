// Lines and columns of places in a text, as editors count them.

/** How many numbers of an ascending list are below one. @param {readonly number[]} list @param {number} limit */
function countBelow(list, limit) {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

export class Places {
  /** Where each line begins: the first behind a byte order mark. @type {number[]} */ #lines;
  /** Characters that are two for JavaScript. @type {number[]} */ #pairs;
  /** @type {number} */ #length;

  /** @param {string} text */
  constructor(text) {
    this.#lines = [text.startsWith('\uFEFF') ? 1 : 0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
      this.#lines.push(at + 1);
    }
    this.#pairs = [...text.matchAll(/[\u{10000}-\u{10FFFF}]/gu)].map(({ index }) => index);
    this.#length = text.length;
  }

  /** @param {number} at as JavaScript counts, from 0
   * @returns {{ line: number, column: number }} from 1, in characters */
  of(at) {
    const line = Math.max(1, countBelow(this.#lines, at + 1));
    return { line, column: at - this.#lines[line - 1] + 1 - this.#pairsBetween(line, at) };
  }

  /** @param {number} line @param {number} at */
  #pairsBetween(line, at) {
    return countBelow(this.#pairs, at) - countBelow(this.#pairs, this.#lines[line - 1]);
  }

  /** The other way; past the end of the text for a line that it has not.
   * @param {{ line: number, column: number }} place */
  at({ line, column }) {
    const start = this.#lines[line - 1] ?? this.#length;
    let at = start + column - 1;
    /* Each pair before it moves it by one, and perhaps behind another. */
    for (let pairs = 0; ; ) {
      const found = countBelow(this.#pairs, at) - countBelow(this.#pairs, start);
      if (found <= pairs) return at;
      at += found - pairs;
      pairs = found;
    }
  }
}
