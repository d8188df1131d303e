// What a program prints, and where the text shows it: behind its words, or below it.

import { printedIn } from '../read/printed.js';
import { isOutputWord } from '../read/prose.js';

/** @typedef {import('../read/expression.js').Expression} Expression */
/** @typedef {import('../read/printed.js').Print} Print */
/** @typedef {import('../read/statements.js').Statement} Statement */
/** @typedef {import('./memory.js').Memory} Memory */

/** What stands around the words before a value. */
const AROUND = /^[\s#>|*-]+|[\s:=≈[(]+$/g;
/** What stands between a line that prints and what it has printed: marks, and a word. */
const BELOW = /^[^\n]{0,200}\n[\s#>*`~]{0,20}(\p{L}{2,12})[\s:*`~#]{1,20}$/u;

/** The lines of a text that print, in their order. */
export class Prints {
  #text;
  #memory;
  /** Those behind the statements so far. @type {Print[]} */ #coming;
  /** @type {Print | null} */ #last = null;

  /** @param {string} text @param {import('../read/number.js').Notation} notation @param {Memory} memory */
  constructor(text, notation, memory) {
    this.#text = text;
    this.#memory = memory;
    this.#coming = printedIn(text, notation);
    /* What a program printed may stand before it: then its first words are meant. */
    for (const one of this.#coming.toReversed()) memory.alias(one.label, one.expression);
  }

  /** Goes on to a place of the text. @param {number} start */
  reach(start) {
    for (let [next] = this.#coming; next?.start < start; [next] = this.#coming) {
      this.#memory.alias(next.label, next.expression);
      this.#last = next;
      this.#coming.shift();
    }
  }

  /** What a program prints where a statement stands. @param {Statement} statement
   * @returns {Expression | null} */
  shownIn({ label, titled, start }) {
    const named = titled ? null : this.#memory.aliased(label);
    const line = this.#text.slice(this.#text.lastIndexOf('\n', start - 1) + 1, start);
    return named ?? this.#memory.aliased(line.replace(AROUND, '')) ?? this.#above(start);
  }

  /** What the line above prints, of which a text says that it is its output: # Output: @param {number} start */
  #above(start) {
    if (!this.#last) return null;
    const [, word] = BELOW.exec(this.#text.slice(this.#last.start, start)) ?? [];
    return word && isOutputWord(word) ? this.#last.expression : null;
  }
}
