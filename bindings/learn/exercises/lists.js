// Lists the recipes and misconceptions, with what a learner reads about them.

import { symbolOf } from './formats/page.js';
import { sizesOf } from './problem/given.js';
import { MISCONCEPTIONS } from './problem/misconceptions.js';
import { drawing } from './recipes/draw.js';
import { RECIPES } from './recipes/index.js';
import { languageOf } from './speech/language.js';

/** @typedef {import('../../js/base/speech.js').Language} Language */

/** What a recipe is computed from. called: its symbol, or its name in words. shape: a letter stands for a size that may be any,
 * the same letter for the same size. optional: whether a teacher who gives numbers may leave it out.
 * @typedef {{ name: string, called: string, shape: readonly (string | number)[], optional: boolean }} RecipeNumbers */

/** Its symbol or, where it has none, its name in words. @param {string} recipe @param {string} name
 * @param {ReturnType<typeof languageOf>} speech */
const calledIn = (recipe, name, speech) =>
  symbolOf(recipe, name) ?? speech.called(recipe, name) ?? name;

/** Lists the recipes, each with its title, its task, its steps, and what a teacher may give: matrices and sizes.
 * @param {{ lang?: Language }} [options] English by default
 * @returns {{ name: string, title: string, task: string, steps: readonly string[], numbers: RecipeNumbers[],
 *   sizes: readonly { name: string, called: string }[] }[]}
 * @example
 * import { recipes } from 'glassformer/exercises';
 *
 * recipes()[0].name; // = 'projection' */
export function recipes(options) {
  const speech = languageOf('recipes', options);
  return Object.entries(RECIPES).map(([name, recipe]) => {
    const [title, task] = speech.recipe(name);
    const { leaves, sizes } = recipe.draw(drawing(1, 0), {});
    const made = recipe.steps(leaves, { ...sizes, ...sizesOf(recipe) }).map((step) => step.name);
    const { shapes, optional = [], usual, sizes: settable = {} } = recipe;
    const spared = [...optional, ...Object.keys(usual?.({}) ?? {})];
    return {
      name,
      title,
      task,
      steps: recipe.asked.filter((step) => made.includes(step)),
      numbers: Object.entries(shapes).map(([of, shape]) => ({
        name: of,
        called: calledIn(name, of, speech),
        shape,
        optional: spared.includes(of),
      })),
      /* d_model follows from X. */
      sizes: Object.keys(settable)
        .filter((of) => of !== 'dModel' || !('x' in shapes))
        .map((of) => ({ name: of, called: calledIn(name, of, speech) })),
    };
  });
}

/** Lists the misconceptions that marking names, each with the sentence that a learner reads.
 * @param {{ lang?: Language }} [options] English by default
 * @returns {{ name: string, sentence: string }[]}
 * @example
 * import { misconceptions } from 'glassformer/exercises';
 *
 * misconceptions()[0].sentence; // = 'You exchanged W_Q and W_K.' */
export function misconceptions(options) {
  const speech = languageOf('misconceptions', options);
  return Object.keys(MISCONCEPTIONS).map((name) => ({
    name,
    sentence: speech.misconception(name),
  }));
}
