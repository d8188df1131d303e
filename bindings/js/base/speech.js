// The languages of results, and how each writes numbers.

import { LANGUAGES } from '../../generated/languages.js';
import { checkOptions, checkWord } from './errors.js';

/** @typedef {import('../../generated/languages.js').Language} Language */
/** A text, or a function that fills one in. @typedef {string | ((values: Record<string, string | number>) => string)} Words */

export const languages = /** @type {readonly Language[]} */ (Object.keys(LANGUAGES));

/** Writes numbers by the rules that the platform has for a language, with the marks of its row.
 * @param {Language} lang @param {Intl.NumberFormatOptions} options
 * @returns {(number: number) => string} */
export function numberFormat(lang, options) {
  const { decimal, group } = LANGUAGES[lang];
  const format = new Intl.NumberFormat(lang, options);
  /** @type {Partial<Record<Intl.NumberFormatPartTypes, string>>} */
  const marks = { decimal, group };
  return (number) =>
    format
      .formatToParts(number)
      .map(({ type, value }) => marks[type] ?? value)
      .join('');
}

/** Writes numbers and sentences in one language.
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
    return text.replace('.', LANGUAGES[this.lang].decimal);
  }

  /** Several numbers in a sentence. @param {readonly string[]} numbers */
  list(numbers) {
    return numbers.join(`${LANGUAGES[this.lang].separator} `);
  }

  /** A sentence with its values filled in.
   * @param {Words} words @param {Record<string, string>} values */
  say(words, values) {
    return typeof words === 'string' ? words : words(values);
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
