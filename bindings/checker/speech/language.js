// What readers of a check are told, in their language.

import { languageIn, Speech } from '../../base/speech.js';
import { de } from './de.js';
import { en } from './en.js';
import { fr } from './fr.js';

/** @typedef {import('../../base/speech.js').Language} Language */

const WORDS = { en, fr, de };

/** How a language tells what is wrong.
 * @extends {Speech<typeof en>} */
class CheckSpeech extends Speech {
  /** What is wrong with a number, and how it may have come about.
   * @param {{ printed: string, corrected: string, cause: string, follows?: number }} flag */
  flag({ printed, corrected, cause, follows }) {
    /** @type {Readonly<Record<string, string>>} */
    const sentences = { ...this.words.causes, ...this.words.misconceptions };
    const because = sentences[cause.replace(/^misconception:/, '')];
    const params = { printed, corrected, follows: String(follows) };
    return this.say(`${this.words.wrong} ${because}`, params).trim();
  }
}

/** @param {string} where @param {{ lang?: Language }} [options] @param {readonly string[]} [others] known beside lang */
export function languageOf(where, options, others) {
  const lang = languageIn(where, options, others);
  return new CheckSpeech(lang, WORDS[lang]);
}
