// What moves on the stage while numbers are explained, or a step is introduced: a function of the scene and of its
// progress. The file of an op names its motions.
import { blend } from './blend.js';
import { fold } from './fold.js';
import { join } from './join.js';
import { level } from './level.js';
import { product } from './product.js';
import { rows } from './rows.js';
import { shares } from './shares.js';

/** @typedef {import('./boxes.js').Box} Box */
/** @typedef {import('../../app/session.js').Explanation} Explanation */
/** @typedef {import('../draw/tensor.js').Cell} Cell */
/** @typedef {import('../../app/session.js').Valued & { flat: number }} Placed */
/** @typedef {{ cell: Placed, box: Box }} Shown */
/** What is shown of one matrix, row by row. @typedef {{ cells: Shown[], rows: number, columns: number }} Panel */
/**
 * @typedef {object} Scene
 * @property {import('../../app/session.js').Step} step the one on the stage
 * @property {boolean} crosses whether each of its numbers stands where a row and a column meet
 * @property {Explanation} told how the number arose that is told; where a step is introduced, or many are told, there
 *   is none
 * @property {import('../../app/state/timeline.js').Moment} begun the first moment that is told
 * @property {import('../../app/state/timeline.js').Moment} moment the last one
 * @property {number} progress of them, between 0 and 1
 * @property {(cell: Cell, operand?: number) => Box | null} place where a cell is shown: that of an operand, if it is
 *   given which; null if it is not
 * @property {(operand: number) => Panel[]} panels what is shown of an operand, or with -1 of the step
 * @property {(operand: number) => Shown[]} cells the same of its only matrix, or of the one where the stage is
 * @property {(cell: Cell) => Explanation} explain
 */
/**
 * While the same is told, there are the same travellers, and only their boxes and opacities change.
 * @typedef {object} Traveller
 * @property {string} key
 * @property {Box} box
 * @property {{ width: number, height: number }} size at which it is drawn; the box is that, stretched
 * @property {number} opacity
 * @property {Cell} [of] the cell that it is a copy of, whose colours it has
 * @property {{ cells: Placed[], columns: number, mute: boolean }} [picture] the cells whose colours it has, row by row, and
 *   unless it is mute whose numbers
 * @property {number} [folded] how much of the way to its mirror image, over its diagonal, it has gone
 * @property {number} [value]
 * @property {string} [sign] before the number, or alone
 * @property {{ drawn: number, all: number }} [sample] so many of all travel
 * @property {'bar' | 'own' | 'label' | 'rule' | 'strip' | 'cover' | 'block' | 'note'} [look] if it is no copy of a cell,
 *   sign or sum: own is the bar that is told of, cover hides what is below, block is a picture, note says how large a
 *   sample is
 */
/** @typedef {(scene: Scene) => Traveller[]} Motion */
/** @typedef {import('../../../bindings/js/ops/kit/page.js').MotionName | 'rows'} Name */

/** @type {Record<Name, Motion>} */
export const motions = { blend, fold, join, level, product, rows, shares };
