// What learners read, in their language.

import { languageIn, Speech } from '../../base/speech.js';
import { WORDS } from '../../generated/exercises-words.js';

/** @typedef {import('../../base/speech.js').Language} Language */

/** How a language tells exercises.
 * @extends {Speech<typeof WORDS[Language]>} */
class ExerciseSpeech extends Speech {
  /** What a step, what leads to one, or something given is called in a recipe; undefined where its symbol says it.
   * @param {string} recipe @param {string} name
   * @returns {string | undefined} */
  called(recipe, name) {
    const { steps, inner, given, sizes } = this.words;
    /** @type {Readonly<Record<string, string>>} */
    const known = { ...sizes, ...given, ...inner, ...steps };
    return known[`${recipe}.${name}`] ?? known[name];
  }
}

/** @param {string} where @param {{ lang?: Language }} [options] @param {readonly string[]} [others] known beside lang */
export function languageOf(where, options, others) {
  const lang = languageIn(where, options, others);
  return new ExerciseSpeech(lang, WORDS[lang]);
}
