// The recipes: what each draws, how it is computed, which steps it asks for.

import { attention } from './attention.js';
import { backward } from './backward.js';
import { counting } from './counting.js';
import { inside } from './inside.js';
import { layers } from './layers.js';
import { learning } from './learning.js';

/** Numbers of a problem that are no matrix, by name: how many heads, the factor of the scores.
 * @typedef {Readonly<Record<string, number>>} Sizes */

/**
 * @typedef {object} Drawn
 * @property {Leaves} leaves the numbers that are given, nested
 * @property {Record<string, string>} [written] cells that a teacher wrote as more than a decimal, such as 1/3
 * @property {readonly string[]} [tokens] the words of the rows
 * @property {readonly string[]} [memory] those of the rows that are attended to, where they are others
 * @property {Sizes} [sizes] what else the problem says
 */

/**
 * @typedef {object} Recipe
 * @property {readonly string[]} asked steps, in the order of working; those that a problem does not have are left out
 * @property {readonly string[]} [end] those of them that are asked where only the end is: all by default
 * @property {Readonly<Record<string, number>>} [points] of steps: the idea that the recipe is about has most; 1 for a step that
 *   is not named. Without it the last step has 2; a step that is asked alone has one for each cell
 * @property {Readonly<Record<string, readonly (string | number)[]>>} shapes of what is given: the same letter is the same number
 *   everywhere. n counts the tokens, m those that are attended to
 * @property {readonly string[]} [optional] which of them a problem may leave out
 * @property {readonly string[]} [ids] which of them are whole numbers to the tape
 * @property {Readonly<Record<string, number | null>>} [sizes] those that a teacher may set, and what they usually are; null for none
 * @property {(leaves: Leaves) => Leaves} [usual] what a teacher may leave out, as it usually is
 * @property {boolean} [namesRows] whether its words name the parts of a model, whatever the numbers
 * @property {number} [digits] decimals, where they are not left to the teacher
 * @property {number} [least] decimals at least, as fewer would not tell the mistakes apart
 * @property {(draw: import('./draw.js').Draw, sizes: Sizes) => Drawn} draw
 * @property {(leaves: Leaves) => Leaves} [inner] leaves that the steps read and the learner need not see
 * @property {(leaves: Leaves, sizes: Sizes) => import('../machine/machine.js').Step[]} steps
 */

/** @typedef {import('../machine/machine.js').Leaves} Leaves */

/** @type {Readonly<Record<string, Recipe>>} */
export const RECIPES = {
  ...attention,
  ...layers,
  ...learning,
  ...backward,
  ...counting,
  ...inside,
};
