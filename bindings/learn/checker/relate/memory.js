// What a text has printed so far: its values by name, and its results in order.

import { formOf, meaningOf } from './names.js';
import { sameShape } from './value.js';

/** @typedef {import('./value.js').Value} Value */
/** @typedef {import('../read/number.js').Cell} Cell */

/** @typedef {object} Entry
 * @property {string} form what the text calls it
 * @property {import('./names.js').Meaning} meaning
 * @property {Value} printed
 * @property {Value} exact
 * @property {Cell[][] | null} cells null if it is computed and nowhere printed
 * @property {boolean} given whether it is the text's own, computed from nothing
 * @property {number} [inner] how many products each of its numbers sums up */

/** How many results back a number may repeat one. */
const MAX_BACK = 400;
/** How many values are remembered. */
const MAX_ENTRIES = 64;

export class Memory {
  /** @type {Map<string, Entry>} */ #byForm = new Map();
  /** @type {Entry[]} */ entries = [];
  /** @type {Cell[]} numbers that were computed, in the order of the text */ results = [];

  /** Whether the text is about learning: v is then no value. */
  #learns = false;

  /** What kind of step a label names here. @param {string} label */
  meaningOf(label) {
    return meaningOf(label, this.#learns);
  }

  /** @param {string} label @param {Omit<Entry, 'form' | 'meaning'>} entry
   * @returns {Entry} */
  add(label, entry) {
    const form = formOf(label);
    const named = { ...entry, form, meaning: this.meaningOf(label) };
    if (named.meaning === 'gradient' && !this.#learns) {
      this.#learns = true;
      for (const one of this.entries) one.meaning = this.meaningOf(one.form);
    }
    if (form) this.#byForm.set(form, named);
    this.entries.push(named);
    if (this.entries.length > MAX_ENTRIES) this.entries.shift();
    return named;
  }

  /** What the text calls by this name, in any notation. @param {string} name
   * @returns {Entry | null} */
  exactly(name) {
    return this.#byForm.get(formOf(name)) ?? null;
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

  /** Whether the text has given another value of this kind since the last of some others: then it may mean anything.
   * @param {readonly Entry[]} others @param {string} label @param {Value} value */
  hasSince(others, label, value) {
    const last = Math.max(...others.map((entry) => this.entries.indexOf(entry)));
    const meaning = this.meaningOf(label);
    return this.entries
      .slice(last + 1)
      .some((entry) => entry.meaning === meaning && sameShape(entry.printed, value));
  }

  /** Ties numbers to the results they repeat: a run of them, in the same digits.
   * @param {Cell[]} cells
   * @returns {boolean} whether all of them repeat results */
  tie(cells) {
    if (cells.length < 2) return false;
    const { results } = this;
    const least = Math.max(0, results.length - MAX_BACK);
    for (let from = results.length - cells.length; from >= least; from--) {
      if (!cells.every(({ text }, i) => results[from + i].text === text)) continue;
      cells.forEach((cell, i) => {
        const result = results[from + i];
        cell.exact = result.exact;
        cell.flag = result.flag;
      });
      return true;
    }
    return false;
  }
}
