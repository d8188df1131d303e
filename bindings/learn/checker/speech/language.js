// The messages of the checker, in each language.

import { WORDS } from '../../../generated/checker-words.js';
import { languageIn, Speech } from '../../../js/base/speech.js';

/** @typedef {import('../../../js/base/speech.js').Language} Language */
/** @typedef {keyof typeof WORDS[Language]['misconceptions']} Misconception */

/** Words a finding in a language.
 * @extends {Speech<typeof WORDS[Language]>} */
class CheckSpeech extends Speech {
  /** That a number is cut off. @param {{ printed: string, corrected: string }} truncation */
  truncation({ printed, corrected }) {
    return this.say(this.words.truncated, { printed, corrected });
  }

  /** What is wrong with a number, and how it may have come about.
   * @param {{ printed: string, corrected: string, cause: string, follows?: number }} flag */
  flag({ printed, corrected, cause, follows }) {
    /** @type {Readonly<Record<string, import('../../../js/base/speech.js').Words>>} */
    const sentences = { ...this.words.causes, ...this.words.misconceptions };
    const because = sentences[cause.replace(/^misconception:/, '')];
    const wrong = this.say(this.words.wrong, { printed, corrected });
    return `${wrong} ${this.say(because, { follows: String(follows) })}`.trim();
  }
}

/** @param {string} where @param {{ lang?: Language }} [options] @param {readonly string[]} [others] known beside lang */
export function languageOf(where, options, others) {
  const lang = languageIn(where, options, others);
  return new CheckSpeech(lang, WORDS[lang]);
}
