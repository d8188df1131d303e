// A part of an axis.

import { flatIndex } from '../base/cell.js';
import { checkInteger } from '../base/errors.js';
import { cellIndex } from '../base/values.js';
import { cell, operand } from './kit/cells.js';
import { copied } from './kit/partials.js';

/** @typedef {import('../tape/tensor.js').Tensor} Tensor */
/** @typedef {import('./kit/cells.js').Question} Question */

/** The method of a tape.
 * @satisfies {ThisType<import('../tape/nodes.js').Nodes>} */
export const tape = {
  /** x from start to end along an axis; end is left out.
   * @param {Tensor} x @param {number} axis a negative one counts from the end @param {number} start
   * @param {number} end @param {string} name */
  slice(x, axis, start, end, name) {
    /* push() refuses what is no tensor. */
    if (x?.shape) {
      const rank = x.shape.length;
      const size = /** @type {number} */ (
        x.shape.at(checkInteger('slice: axis', axis, -rank, rank - 1))
      );
      checkInteger('slice: start', start, 0, size - 1);
      checkInteger('slice: end', end, start + 1, size);
    }
    return this.push('slice', { x }, { axis, start, end }, name);
  },
};

/** An index, so far along the axis.
 * @param {Pick<Question, 'step'>} question @param {number[]} index @param {number} by */
function moved({ step }, index, by) {
  const { axis } = step.attributes;
  return index.with(axis, (index.at(axis) ?? 0) + by);
}

/** @type {import('./kit/cells.js').Story} */
export const story = (question) => {
  const x = operand(question, 0);
  const place = moved(question, question.index, question.step.attributes.start);
  return { from: cell(x, flatIndex('slice', x.shape, place)) };
};

/** y = x[start to end]
 * @type {import('./kit/partials.js').Rule[]} */
export const partials = [
  (question) => {
    const { attributes, shape } = question.step;
    const index = cellIndex(operand(question, 0).shape, question.offset);
    const place = moved(question, index, -attributes.start);
    const along = /** @type {number} */ (place.at(attributes.axis));
    const isInside = along >= 0 && along < /** @type {number} */ (shape.at(attributes.axis));
    return isInside ? [copied(flatIndex('slice', shape, place))] : [];
  },
];
