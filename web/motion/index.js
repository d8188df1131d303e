// What travels on the stage while a number is told, or a step introduced: a function of what is told and of how much
// of its moment is over. An op names its motions in its own file.
import { blend } from './blend.js';
import { fold } from './fold.js';
import { join } from './join.js';
import { level } from './level.js';
import { product } from './product.js';
import { shares } from './shares.js';

/** @typedef {import('./boxes.js').Box} Box */
/** @typedef {import('../session.js').Explanation} Explanation */
/** @typedef {import('../draw/tensor.js').Cell} Cell */
/** @typedef {{ cell: import('../session.js').Valued, box: Box }} Shown */
/**
 * @typedef {object} Scene
 * @property {import('../session.js').Step} step the one on the stage
 * @property {Explanation} told how the number arose that is told; while a step is introduced there is none
 * @property {import('../state/timeline.js').Moment} moment
 * @property {number} progress of the moment, between 0 and 1
 * @property {(cell: Cell, operand?: number) => Box | null} place where a cell is shown: that of an operand, if it is
 *   given which; null if it is not
 * @property {(operand: number) => Shown[]} cells what is shown of an operand, or with -1 of the step, row by row
 * @property {(cell: Cell) => Explanation} explain
 */
/**
 * @typedef {object} Traveller
 * @property {string} key
 * @property {Box} box
 * @property {{ width: number, height: number }} size at which its number is set; the box is that, stretched
 * @property {number} opacity
 * @property {Cell} [of] the cell that it is a copy of, whose colours it has
 * @property {number} [value]
 * @property {string} [sign] before the number, or alone
 * @property {'bar' | 'own' | 'label' | 'rule' | 'strip' | 'cover'} [look] if it is no copy of a cell, sign or sum: own is
 *   the bar that is told of, cover hides what is below
 */
/** @typedef {(scene: Scene) => Traveller[]} Motion */
/** @typedef {import('../../bindings/ops/kit/page.js').MotionName} Name */

/** @type {Record<Name, Motion>} */
export const motions = { blend, fold, join, level, product, shares };
