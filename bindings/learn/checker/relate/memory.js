// What a text has printed so far: its values by name, and its results in order.

import { formOf, meaningOf, titleOf } from '../read/names.js';
import { isWritten } from '../read/number.js';
import { slipsOf } from '../read/slips.js';
import { agreement, ENOUGH } from './agreement.js';
import { sameShape } from './value.js';

/** @typedef {import('./value.js').Value} Value */
/** @typedef {import('../read/number.js').Cell} Cell */
/** @typedef {import('../read/expression.js').Expression} Expression */

/** @typedef {object} Entry
 * @property {string} form what the text calls it
 * @property {string} title the same as it is shown
 * @property {import('../read/names.js').Meaning} meaning
 * @property {Value} printed
 * @property {Value} exact
 * @property {Cell[][] | null} cells null if it is computed and nowhere printed
 * @property {boolean} [titled] whether its name is a heading, and not part of its equation
 * @property {string} [heading] the words before it, with a colon: Logits: z = [2, 1]
 * @property {boolean} given whether it is the text's own, computed from nothing
 * @property {boolean} [unproved] whether the text says how it was computed, but that is not understood
 * @property {boolean} [vague] whether what it comes from may itself be rounded
 * @property {boolean} [open] whether its name promises a relation that its numbers do not keep
 * @property {Cell[]} [used] of what is nowhere printed: the numbers that it comes from
 * @property {Expression} [side] of what is nowhere printed: how it is computed
 * @property {Entry[]} [from] and the named values that it comes from
 * @property {number} [start] where it stands in the text @property {number} [end]
 * @property {Entry} [prints] the value that it prints
 * @property {number} [gap] before which of its numbers others are left out
 * @property {string} [call] the function that its equation begins with
 * @property {number} [row] of what it comes from, where that has several
 * @property {number} [inner] how many products each of its numbers sums up */

/** The value that a program has computed where it prints it. @param {Entry} entry
 * @returns {Entry} */
const rootOf = (entry) => entry.prints ?? entry;

/** A letter behind a word that says what it is. */
const LAST_LETTER = /^\p{L}{3,} (\p{L})$/u;
/** How many results back a number may repeat one. */
const MAX_BACK = 400;
/** How many values are remembered. */
const MAX_ENTRIES = 64;

export class Memory {
  /** @type {Map<string, Entry>} */ #byForm = new Map();
  /** @type {Entry[]} */ entries = [];
  /** @type {Cell[][]} rows that were computed, in the order of the text */ results = [];

  /** What a program prints, by the words before it. @type {Map<string, Expression | null>} */
  #aliases = new Map();

  /** Whether the text is about learning: v is then no value. */
  #learns = false;

  /** What kind of step a label names here. @param {string} label */
  meaningOf(label) {
    return meaningOf(label, this.#learns);
  }

  /** @param {string} label @param {Omit<Entry, 'form' | 'title' | 'meaning'>} entry
   * @returns {Entry} */
  add(label, entry) {
    const form = formOf(label);
    /* A letter may be anything: words say what it is. */
    const said = this.meaningOf(entry.heading ?? '');
    const meaning = (form.length === 1 && said) || this.meaningOf(label) || said;
    const named = { ...entry, form, title: titleOf(label), meaning };
    if (named.meaning === 'gradient' && !this.#learns) {
      this.#learns = true;
      for (const one of this.entries) one.meaning = this.meaningOf(one.form);
    }
    if (form && !this.#isOther(named)) this.#byForm.set(form, named);
    /* An embedding x is x, and a temperature is T. */
    const short = form === 'temperature' ? 'T' : LAST_LETTER.exec(named.title)?.[1];
    if (short && this.#byForm.get(short)?.form !== short) this.#byForm.set(short, named);
    this.entries.push(named);
    if (this.entries.length > MAX_ENTRIES) this.entries.shift();
    return named;
  }

  /** Whether a value under a heading is none of what an equation has called so: the sums of A's rows are not A. @param {Entry} entry */
  #isOther({ form, titled, printed }) {
    const before = this.#byForm.get(form);
    return Boolean(titled && before && !before.titled && !sameShape(before.printed, printed));
  }

  /** What the text calls by this name, in any notation. @param {string} name
   * @returns {Entry | null} */
  exactly(name) {
    return this.#byForm.get(formOf(name)) ?? null;
  }

  /** Whether what a value comes from has another value by now. @param {Entry} entry */
  isStale({ form, from = [] }) {
    return from.some((one) => {
      const now = one.form && one.form !== form ? this.exactly(one.form) : one;
      return !now || rootOf(now) !== rootOf(one);
    });
  }

  /** Whether the text has numbers that it calls the same with an index or an exponent: H and H^{MQA}. @param {Entry} entry */
  hasVariant({ form, printed: { rank } }) {
    if (rank || form.length < 2) return false;
    const short = form.toLowerCase();
    return this.entries.some(
      ({ form: other, printed }) =>
        !printed.rank && other.length > form.length && other.toLowerCase().startsWith(short),
    );
  }

  /** A value by the name of the variable that holds it. @param {string} name @param {Entry} entry */
  call(name, entry) {
    const before = this.exactly(name);
    const { cells, printed } = entry;
    const isSame = before && cells && sameShape(before.exact, printed) && !this.isStale(before);
    if (isSame && agreement(cells, before.exact) >= ENOUGH.few) entry.prints = rootOf(before);
    entry.form = formOf(name);
    this.#byForm.set(entry.form, entry);
  }

  /** Forgets what the text calls so: it has a value by now that is not known. @param {string} name */
  lose(name) {
    this.#byForm.delete(formOf(name));
  }

  /** The same, or the last whose name begins or ends with it. @param {string} name
   * @returns {Entry | null} */
  find(name) {
    const form = formOf(name);
    const isLonger = (/** @type {Entry} */ { form: other }) =>
      other.endsWith(` ${form}`) || other.startsWith(`${form} `);
    const longer = form.length < 3 ? null : this.entries.findLast(isLonger);
    return this.#byForm.get(form) ?? longer ?? null;
  }

  /** @param {string} label what a program prints before a value @param {Expression | null} expression that it prints there */
  alias(label, expression) {
    this.#aliases.set(formOf(label), expression);
  }

  /** What a program prints behind a label. @param {string} label
   * @returns {Expression | null} */
  aliased(label) {
    return (label && this.#aliases.get(formOf(label))) || null;
  }

  /** What a number is, unrounded, if it repeats a result that is right, of which one cannot be sure with one digit or a whole
   * number; and what it should be, if it repeats one that is wrong, and nothing that the text gives.
   * @param {Cell} cell
   * @returns {number | undefined} */
  unrounded({ text }) {
    const result = this.results
      .slice(-MAX_BACK)
      .flat()
      .findLast((cell) => cell.text === text);
    if (!result || result.vague) return undefined;
    const isGiven = (/** @type {Entry} */ entry) =>
      entry.given && entry.cells?.flat().some((cell) => cell.text === text);
    const isSure = isWritten(result, result.exact)
      ? /[.,]\}?\d*[1-9]\d/.test(text)
      : !this.entries.some(isGiven);
    return isSure ? result.exact : undefined;
  }

  /** Whether a row is one of the results but for one number. @param {Cell[][]} cells */
  resembles(cells) {
    if (cells.length > 1 || cells[0].length < 3) return false;
    return this.results.slice(-MAX_BACK).some((row) => onlyDifference(cells, [row]) !== null);
  }

  /** The result that numbers repeat but for one, which differs by a slip: a row with decimals, or what the text calls so, too.
   * @param {string} label @param {Cell[][]} cells
   * @returns {Cell[][] | null} */
  slippedCopy(label, cells) {
    const all = cells.flat();
    if (all.length < 3) return null;
    const isCopy = (/** @type {Cell[][]} */ other) => {
      const [cell, before] = onlyDifference(cells, other) ?? [];
      if (!cell || !before || !cell.value || !Number.isFinite(cell.value)) return false;
      return slipsOf(cell.text).includes(before.text);
    };
    const named = this.exactly(label);
    const isSure = named?.given ? this.#isTwice(named) : all.length > 3;
    if (named?.cells && isSure && isCopy(named.cells)) return named.cells;
    const hasDecimals = all.filter(({ text }) => /[.,]\}?\d{2,}[1-9]/.test(text)).length > 2;
    if (cells.length > 1 || !hasDecimals) return null;
    const row = this.results.slice(-MAX_BACK).findLast((one) => isCopy([one]));
    return row ? [row] : null;
  }

  /** Whether the text prints what it gives a second time, in the same digits. @param {Entry} entry */
  #isTwice(entry) {
    const textsOf = (/** @type {Entry} */ { cells }) =>
      cells
        ?.flat()
        .map(({ text }) => text)
        .join();
    const isSame = (/** @type {Entry} */ one) =>
      one !== entry && one.form === entry.form && textsOf(one) === textsOf(entry);
    return this.entries.some(isSame);
  }

  /** Whether the text gives a value anew, but for one number. @param {string} label @param {Cell[][]} cells */
  differsOnce(label, cells) {
    const before = this.exactly(label);
    if (!before?.given || !before.cells || cells.flat().length < 4) return false;
    return onlyDifference(cells, before.cells) !== null;
  }

  /** Whether a number is printed as a result was. @param {Cell} cell */
  isResult({ text }) {
    return this.results.slice(-MAX_BACK).some((row) => row.some((cell) => cell.text === text));
  }

  /** Whether the text has given a value of this shape since another. @param {Entry} entry */
  hasAfter(entry) {
    const later = this.entries.slice(this.entries.indexOf(entry) + 1);
    return later.some(({ printed, cells }) => cells && sameShape(printed, entry.printed));
  }

  /** Whether the text has given another value of this kind since the last of some others: then it may mean anything.
   * @param {readonly Entry[]} others @param {string} label @param {Value} value */
  hasSince(others, label, value) {
    const last = Math.max(...others.map((entry) => this.entries.indexOf(entry)));
    const meaning = this.meaningOf(label);
    return this.entries
      .slice(last + 1)
      .some((entry) => entry.meaning === meaning && sameShape(entry.printed, value));
  }

  /** Ties rows to those of results that they repeat one after the other, in the same digits.
   * @param {Cell[][]} rows
   * @returns {boolean} whether all of them repeat results */
  tie(rows) {
    if (rows[0].length < 2) return false;
    const { results } = this;
    const least = Math.max(0, results.length - MAX_BACK);
    const isSame = (/** @type {Cell[]} */ row, /** @type {Cell[]} */ other) =>
      row.length === other.length &&
      row !== other &&
      row.every((cell, j) => other[j] !== cell && other[j].text === cell.text);
    for (let from = results.length - rows.length; from >= least; from--) {
      if (!rows.every((row, i) => isSame(row, results[from + i]))) continue;
      rows.forEach((row, i) => {
        row.forEach((cell, j) => {
          const result = results[from + i][j];
          cell.exact = result.exact;
          cell.repeats = result;
        });
      });
      return true;
    }
    return false;
  }
}

/** The two numbers in which blocks of one shape differ, if they differ in one place alone.
 * @param {Cell[][]} cells @param {Cell[][]} others
 * @returns {[Cell, Cell] | null} */
function onlyDifference(cells, others) {
  if (cells.length !== others.length || cells[0].length !== others[0].length) return null;
  const pairs = cells.flatMap((row, i) =>
    row.map((cell, j) => /** @type {[Cell, Cell]} */ ([cell, others[i][j]])),
  );
  const [pair, ...more] = pairs.filter(([one, other]) => one.value !== other.value);
  return pair && !more.length ? pair : null;
}
