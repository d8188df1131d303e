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
  /** Offsets of characters that JavaScript counts as two. @type {number[]} */ #pairs;
  /** @type {number} */ #length;

  /** @param {string} text */
  constructor(text) {
    this.#lines = [text.startsWith('\uFEFF') ? 1 : 0];
    for (
      let newline = text.indexOf('\n');
      newline >= 0;
      newline = text.indexOf('\n', newline + 1)
    ) {
      this.#lines.push(newline + 1);
    }
    this.#pairs = [...text.matchAll(/[\u{10000}-\u{10FFFF}]/gu)].map(({ index }) => index);
    this.#length = text.length;
  }

  /** @param {number} offset as JavaScript counts, from 0
   * @returns {{ line: number, column: number }} from 1, in characters */
  of(offset) {
    const line = Math.max(1, countBelow(this.#lines, offset + 1));
    const start = this.#lines[line - 1];
    return { line, column: offset - start + 1 - this.#pairsBetween(start, offset) };
  }

  /** @param {number} start @param {number} end */
  #pairsBetween(start, end) {
    return countBelow(this.#pairs, end) - countBelow(this.#pairs, start);
  }

  /** The other way; past the end of the text for a line that it has not.
   * @param {{ line: number, column: number }} place */
  at({ line, column }) {
    const start = this.#lines[line - 1] ?? this.#length;
    let offset = start + column - 1;
    /* Each pair before it moves it by one, and perhaps behind another. */
    for (let pairs = 0; ; ) {
      const passed = this.#pairsBetween(start, offset);
      if (passed <= pairs) return offset;
      offset += passed - pairs;
      pairs = passed;
    }
  }
}
