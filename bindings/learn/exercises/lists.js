// Lists the recipes and misconceptions, with what a learner reads about them.

import { MISCONCEPTIONS } from './problem/misconceptions.js';
import { RECIPES } from './recipes/index.js';
import { languageOf } from './speech/language.js';

/** @typedef {import('./speech/language.js').Language} Language */

/** Lists the recipes, each with its title and its task.
 * @param {{ lang?: Language }} [options] English by default
 * @returns {{ name: string, title: string, task: string, steps: readonly string[] }[]}
 * @example
 * import { recipes } from 'glassformer/exercises';
 *
 * recipes()[0].name; // = 'projection' */
export function recipes(options) {
  const speech = languageOf('recipes', options);
  return Object.entries(RECIPES).map(([name, { asked }]) => {
    const [title, task] = speech.recipe(name);
    return { name, title, task, steps: asked };
  });
}

/** Lists the misconceptions that marking names, each with the sentence that a learner reads.
 * @param {{ lang?: Language }} [options] English by default
 * @returns {{ name: string, sentence: string }[]}
 * @example
 * import { misconceptions } from 'glassformer/exercises';
 *
 * misconceptions()[0].sentence; // = 'You did not divide the scores by √d_k.' */
export function misconceptions(options) {
  const speech = languageOf('misconceptions', options);
  return Object.keys(MISCONCEPTIONS).map((name) => ({
    name,
    sentence: speech.misconception(name),
  }));
}
