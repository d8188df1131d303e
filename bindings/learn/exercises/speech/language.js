// The sentences of exercises, in each language.

import { WORDS } from '../../../generated/exercises-words.js';
import { languageIn, Speech } from '../../../js/base/speech.js';
import { NUMBERED } from '../recipes/learning.js';

/** @typedef {import('../../../js/base/speech.js').Language} Language */

/** The names of steps and of what is given, by language: the same are asked for again and again.
 * @type {Map<Language, Readonly<Record<string, string>>>} */
const namesIn = new Map();

/** Words exercises in a language.
 * @extends {Speech<typeof WORDS[Language]>} */
class ExerciseSpeech extends Speech {
  /** The name of a step, of what leads to one, or of something given; undefined where its symbol is enough.
   * @param {string} recipe @param {string} name
   * @returns {string | undefined} */
  called(recipe, name) {
    const { steps, inner, given, sizes } = this.words;
    /** @type {Readonly<Record<string, string>>} */
    const names = namesIn.get(this.lang) ?? { ...sizes, ...given, ...inner, ...steps };
    namesIn.set(this.lang, names);
    const called = names[`${recipe}.${name}`] ?? names[name];
    const numbered = NUMBERED.get(name);
    if (called || !numbered) return called;
    const { of, t } = numbered;
    const step = names[`adam-step.${of}`] ?? names[of];
    return this.say(this.words.sheet.step, { name: step, t: String(t) });
  }

  /** The title of a recipe, and its task. @param {string} name */
  recipe(name) {
    return this.words.recipes[/** @type {keyof typeof this.words.recipes} */ (name)];
  }

  /** The words of the rows as the reader says them; those of a translation, and a teacher's own, stay.
   * @param {{ tokens?: readonly string[], memory?: readonly string[] }} problem */
  tokens({ tokens = [], memory }) {
    /** @type {Readonly<Record<string, string>>} */
    const words = memory ? {} : this.words.tokens;
    return tokens.map((token) => (Object.hasOwn(words, token) ? words[token] : token));
  }

  /** The sentence about a known mistake. @param {string} name */
  misconception(name) {
    return this.words.misconceptions[/** @type {keyof typeof this.words.misconceptions} */ (name)];
  }
}

/** @param {string} where @param {{ lang?: Language }} [options] @param {readonly string[]} [others] known beside lang */
export function languageOf(where, options, others) {
  const lang = languageIn(where, options, others);
  return new ExerciseSpeech(lang, WORDS[lang]);
}
