// What a program prints, and where the text shows it: behind its words, or below it.

import { printedIn, wordsOf } from '../read/printed.js';
import { isOutputWord } from '../read/prose.js';

/** @typedef {import('../read/expression.js').Expression} Expression */
/** @typedef {import('../read/printed.js').Print} Print */
/** @typedef {import('../read/statements.js').Statement} Statement */
/** @typedef {import('./memory.js').Memory} Memory */

/** What a program prints, and where it says so; -1 if only the name of a value tells.
 * @typedef {{ expression: Expression, start: number }} Shown */

/** What stands between a line that prints and what it has printed: marks, and a word. */
const BELOW = /^[^\n]{0,200}\n[\s#>*`~]{0,20}(\p{L}{2,12})[\s:*`~#]{1,20}$/u;
/** What libraries print around values. */
const WRAPPED = /(?:tensor|array)\(\s*$/;
const ABOVE = /^Parameter containing:?$/;

/** Characters between a line that prints and what it has printed. */
const FAR = 8000;
/** Characters before a value that hold the words above it. */
const MAX_ABOVE = 500;

/** The lines of a text that print, in their order. */
export class Prints {
  #text;
  #memory;
  /** Those behind the statements so far. @type {Print[]} */ #coming;
  /** Those before the next statement. @type {Print[]} */ #past = [];
  /** Those whose output has come. @type {Set<Print>} */ #done = new Set();
  /** The last statement, and what it shows. @type {{ start: number, shown: Shown | null }} */ #last =
    {
      start: -1,
      shown: null,
    };

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
      this.#past.push(next);
      this.#coming.shift();
    }
  }

  /** What a program prints where a statement stands: by the name of a value, or by what stands before it and above.
   * @param {Statement} statement
   * @returns {Shown | null} */
  shownIn(statement) {
    const { start } = statement;
    if (this.#last.start !== start) this.#last = { start, shown: this.#shownIn(statement) };
    return this.#last.shown;
  }

  /** @param {Statement} statement
   * @returns {Shown | null} */
  #shownIn(statement) {
    const { label, titled, start } = statement;
    const near = this.#near(start);
    const same = this.#sayingSo(statement, near);
    /* The first line of a program prints first. */
    const one =
      same.findLast((print) => !this.#done.has(print)) ?? (same.length > 1 ? null : same[0]);
    if (one) this.#done.add(one);
    if (one?.expression) return { expression: one.expression, start: one.start };
    if (same.length) return null;
    const aliased = titled ? null : this.#memory.aliased(label);
    return aliased ? { expression: aliased, start: -1 } : this.#below(near, start);
  }

  /** Those that print the words before a value. @param {Statement} statement @param {Print[]} near */
  #sayingSo({ label, titled, start }, near) {
    const said = titled || !near.length ? '' : wordsOf(label);
    const isSaid = said && near.some((one) => one.words === said);
    const words = isSaid ? said : this.#wordsAbove(start, near[0]);
    return words ? near.filter((one) => one.words === words) : [];
  }

  /** What the last line prints, if the text says that its output follows. @param {Print[]} near @param {number} start
   * @returns {Shown | null} */
  #below([last], start) {
    const [, word] = (last && BELOW.exec(this.#text.slice(last.start, start))) ?? [];
    const expression = word && isOutputWord(word) ? last.expression : null;
    return expression && { expression, start: last.start };
  }

  /** The lines that print not far above a place, in the last block of code, the last first. @param {number} start */
  #near(start) {
    const last = this.#past.at(-1)?.start ?? 0;
    const least = Math.max(0, start - FAR);
    const fence = least + this.#text.slice(least, last).lastIndexOf('```');
    const from = this.#past.findLastIndex((one) => one.start < Math.max(least, fence));
    return this.#past.slice(from + 1).reverse();
  }

  /** The words before a value, or on the line above it. @param {number} start @param {Print | undefined} last */
  #wordsAbove(start, last) {
    if (!last) return '';
    const lines = this.#text.slice(Math.max(0, start - MAX_ABOVE), start).split('\n');
    const plain = lines.map((line) => line.replace(WRAPPED, '').trim());
    return wordsOf(plain.findLast((line) => wordsOf(line) && !ABOVE.test(line)) ?? '');
  }
}
