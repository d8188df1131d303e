// The languages that a learner can read, and how each writes numbers.

import { checkOptions, checkWord } from '../../base/errors.js';
import { de } from './de.js';
import { en } from './en.js';
import { fr } from './fr.js';

/** @typedef {'en' | 'fr' | 'de'} Language */

const LANGUAGES = { en, fr, de };

export const languages = Object.keys(LANGUAGES);

/** How a language tells numbers and sentences. */
class Speech {
  /** @param {Language} lang */
  constructor(lang) {
    this.lang = lang;
    this.words = LANGUAGES[lang];
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

  /** What a step or something given is called in a recipe; undefined where its symbol says it.
   * @param {string} recipe @param {string} name
   * @returns {string | undefined} */
  called(recipe, name) {
    /** @type {Readonly<Record<string, string>>[]} */
    const [steps, given] = [this.words.steps, this.words.given];
    const own = `${recipe}.${name}`;
    return steps[own] ?? given[own] ?? steps[name] ?? given[name];
  }

  /** A sentence with its braces filled in.
   * @param {string} sentence @param {Record<string, string>} [params] */
  say(sentence, params = {}) {
    return sentence.replace(/\{(\w+)\}/g, (_, name) => params[name]);
  }
}

/** @param {string} where @param {{ lang?: Language }} [options] @param {readonly string[]} [others] known beside lang
 * @returns {Speech} */
export function languageOf(where, options = {}, others = []) {
  checkOptions(where, options, ['lang', ...others]);
  const { lang = 'en' } = options;
  checkWord(`${where}: lang`, lang, languages);
  return new Speech(lang);
}
