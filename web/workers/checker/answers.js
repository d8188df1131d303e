// Checks worked texts: apart from the page, which goes on meanwhile.
import { check, fixed, load } from './core.js';

/** @typedef {import('./core.js').Language} Language */
/**
 * @typedef {import('./core.js').Checked & { corrected: string, lang: Language }} Report
 * @typedef {{ check: { text: string, lang: Language } }} Questions
 * @typedef {{ check: Report }} Answers
 */

class Checker {
  #gf;

  /** @param {import('./core.js').Glassformer} gf */
  constructor(gf) {
    this.#gf = gf;
  }

  /** @param {Questions['check']} question @returns {Report} */
  check({ text, lang }) {
    const checked = check(this.#gf, text, { lang });
    return { ...checked, corrected: fixed(text, checked.flags), lang };
  }
}

export const answersOf = async () => new Checker(await load());
