// What the tests of exercises have in common: the core, the recipes, and which seeds they try.

import { load } from '../../bindings/index.js';
import { exercise, mark, misconceptions, recipes } from '../../bindings/learn/exercises/index.js';
import { marks } from '../../bindings/learn/exercises/marking/marks.js';
import { readyFor } from '../../bindings/learn/exercises/marking/states.js';
import { full, sample } from '../support/sample.js';

export const gf = await load();
export const RECIPES = recipes().map(({ name }) => name);
export const MISCONCEPTIONS = misconceptions().map(({ name }) => name);
export const LEVELS = /** @type {const} */ (['steps', 'faded', 'end']);

/** Some seeds: `most` of them in a full run, `some` otherwise, others with each SAMPLE.
 * @param {number} most @param {number} some */
export const seeds = (most, some) =>
  sample(
    Array.from({ length: most }, (_, i) => i + 1),
    some,
  );

/** @param {string} recipe @param {import('../../bindings/learn/exercises/index.js').ExerciseOptions} [options] */
export const problemOf = (recipe, options) => exercise(gf, recipe, options);

/** @param {any} problem @param {Record<string, any>} cells @param {any} [options] */
export const marked = (problem, cells, options) => mark(gf, problem, { cells }, options);

/** The marks without their words, of which a learner who is simulated reads none. @param {any} problem
 * @param {Record<string, any>} cells @param {any} [options] */
export const pointsFor = (problem, cells, options) => marks(gf, problem, { cells }, options);

/** The cells that Moodle and Canvas ask for: of each step those whose number takes some arithmetic and is not 0, where there are
 * such. @param {any} problem @returns {string[]} */
export function askedByPlatforms(problem) {
  const { free } = readyFor('test', gf, problem);
  const isIdle = (/** @type {string} */ cell) => {
    const { value, band } = problem.solution[cell];
    return Math.abs(value) <= band + 1e-6 || (Number.isFinite(value) && free.has(cell));
  };
  const stepOf = (/** @type {string} */ cell) => cell.split('[')[0];
  return problem.asked.filter((/** @type {string} */ cell) => {
    const step = problem.asked.filter((/** @type {string} */ one) => stepOf(one) === stepOf(cell));
    return !isIdle(cell) || step.every(isIdle);
  });
}

/** Answers that are right, to all digits. @param {any} problem @returns {Record<string, string>} */
export const rightAnswers = ({ asked, solution }) =>
  Object.fromEntries(asked.map((cell) => [cell, String(solution[cell].value)]));

export { full };
