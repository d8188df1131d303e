// The recipes: what each draws, how it is computed, which steps it asks for.

import { attention } from './attention.js';
import { counting } from './counting.js';
import { inside } from './inside.js';
import { layers } from './layers.js';
import { learning } from './learning.js';

/**
 * @typedef {object} Drawn
 * @property {Record<string, import('../machine/machine.js').Leaf>} leaves the numbers that are given, nested
 * @property {readonly string[]} [ids] leaves that are whole numbers to the tape
 * @property {readonly string[]} [inner] leaves that the learner need not see
 * @property {readonly string[]} [tokens] the words of the rows
 * @property {readonly string[]} [memory] those of the rows that are attended to, where they are others
 * @property {Record<string, number>} [sizes] what else the problem says
 */

/**
 * @typedef {object} Recipe
 * @property {readonly string[]} asked steps, in the order of working
 * @property {readonly string[]} [end] those of them that are asked where only the end is: all by default
 * @property {Readonly<Record<string, number>>} [points] of steps: the idea that the recipe is about has most; 1 for a step that
 *   is not named. Without it the last step has 2; a step that is asked alone has one for each cell
 * @property {boolean} [anySize] whether a problem may give matrices of other sizes than it draws
 * @property {number} [digits] decimals, where they are not left to the teacher
 * @property {number} [least] decimals at least, as fewer would not tell the mistakes apart
 * @property {(draw: import('./draw.js').Draw) => Drawn} draw
 * @property {(leaves: import('../machine/machine.js').Leaves) => import('../machine/machine.js').Step[]} steps
 */

/** @type {Readonly<Record<string, Recipe>>} */
export const RECIPES = { ...attention, ...layers, ...learning, ...counting, ...inside };
