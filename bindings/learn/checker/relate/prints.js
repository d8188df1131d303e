// What a program prints, and where the text shows it: behind its words, or below it.

import { formOf } from '../read/names.js';
import { printedIn } from '../read/printed.js';
import { isOutputWord, lineBefore } from '../read/prose.js';

/** @typedef {import('../read/expression.js').Expression} Expression */
/** @typedef {import('../read/printed.js').Print} Print */
/** @typedef {import('../read/statements.js').Statement} Statement */
/** @typedef {import('./memory.js').Memory} Memory */

/** What stands around the words before a value. */
const AROUND = /^[\s#>|*-]+|[\s:=≈[(]+$/g;
/** What stands between a line that prints and what it has printed: marks, and a word. */
const BELOW = /^[^\n]{0,200}\n[\s#>*`~]{0,20}(\p{L}{2,12})[\s:*`~#]{1,20}$/u;

/** Characters between a line that prints and what it has printed. */
const FAR = 2000;

/** The lines of a text that print, in their order. */
export class Prints {
  #text;
  #memory;
  /** Those behind the statements so far. @type {Print[]} */ #coming;
  /** Those before the next statement, the last first. @type {Print[]} */ #past = [];

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
      this.#past.unshift(next);
      this.#coming.shift();
    }
  }

  /** What a program prints where a statement stands: by the name of a value, or by what stands before it and above.
   * @param {Statement} statement
   * @returns {Expression | null} */
  shownIn(statement) {
    const { label, titled } = statement;
    return (titled ? null : this.#memory.aliased(label)) ?? this.shownBelow(statement);
  }

  /** What a line not far above prints there: its words are those before the value, or the text says that its output follows.
   * @param {Statement} statement
   * @returns {Expression | null} */
  shownBelow({ start }) {
    const [last] = this.#past;
    if (!last) return null;
    const words = formOf(lineBefore(this.#text, start).replace(AROUND, ''));
    const isNear = (/** @type {Print} */ one) => start - one.start < FAR;
    const same = words && this.#past.find((one) => !isNear(one) || formOf(one.label) === words);
    if (same && isNear(same)) return same.expression;
    const [, word] = BELOW.exec(this.#text.slice(last.start, start)) ?? [];
    return word && isOutputWord(word) ? last.expression : null;
  }
}
