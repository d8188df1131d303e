// The languages in which results are told, and how each writes numbers.

import { checkOptions, checkWord } from './errors.js';

/** @typedef {'en' | 'fr' | 'de'} Language */

/** @type {readonly Language[]} */
export const languages = ['en', 'fr', 'de'];

/** How a language tells numbers and sentences.
 * @template W */
export class Speech {
  /** @param {Language} lang @param {W} words */
  constructor(lang, words) {
    this.lang = lang;
    this.words = words;
  }

  /** A number with so many decimals, or as short as it is.
   * @param {number} x @param {number} [decimals] */
  number(x, decimals) {
    if (Number.isNaN(x)) return 'NaN';
    if (!Number.isFinite(x)) return x > 0 ? '∞' : '−∞';
    const plain = decimals === undefined ? String(x) : x.toFixed(decimals);
    const text = plain.replace(/^-(0(?:\.0*)?)$/, '$1').replace('-', '−');
    return this.lang === 'en' ? text : text.replace('.', ',');
  }

  /** A sentence with its braces filled in.
   * @param {string} sentence @param {Record<string, string>} [params] */
  say(sentence, params = {}) {
    return sentence.replace(/\{(\w+)\}/g, (_, name) => params[name]);
  }
}

/** The language that options ask for, English by default.
 * @param {string} where @param {{ lang?: Language }} [options] @param {readonly string[]} [others] known beside lang
 * @returns {Language} */
export function languageIn(where, options = {}, others = []) {
  checkOptions(where, options, ['lang', ...others]);
  const { lang = 'en' } = options;
  checkWord(`${where}: lang`, lang, languages);
  return lang;
}
