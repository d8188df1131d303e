// What travels on the stage while a number is told: a function of the number, of the moment, and of how much of the
// moment is over. An op names its motion in its own file.
import { product } from './product.js';

/** @typedef {import('./boxes.js').Box} Box */
/** @typedef {import('../draw/tensor.js').Cell} Cell */
/**
 * @typedef {object} Scene
 * @property {import('../session.js').Explanation} told how the number arose that is told
 * @property {import('../state/timeline.js').Moment} moment
 * @property {number} progress of the moment, between 0 and 1
 * @property {(cell: Cell, operand?: number) => Box | null} place where a cell is shown: that of an operand, if it is
 *   given which; null if it is not
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
 */
/** @typedef {(scene: Scene) => Traveller[]} Motion */

/** @type {Record<NonNullable<import('../../bindings/ops/kit/page.js').Drawing['motion']>, Motion>} */
export const motions = { product };
