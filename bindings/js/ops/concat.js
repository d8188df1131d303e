// Concatenation along an axis.

import { flatIndex } from '../base/cell.js';
import { cell, operand } from './kit/cells.js';

/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** The method of a tape.
 * @satisfies {ThisType<import('../tape/nodes.js').Nodes>} */
export const tape = {
  /** a, then b, along an axis; the other dimensions are equal.
   * @param {Tensor} a @param {Tensor} b @param {number} axis @param {string} name */
  concat(a, b, axis, name) {
    return this.push('concat', { a, b }, { axis }, name);
  },
};

/** @type {import('./kit/cells.js').Story} */
export const story = (question) => {
  const [a, b] = [operand(question, 0), operand(question, 1)];
  const { axis } = question.step.attributes;
  const first = a.shape[axis];
  const from = question.index[axis] < first ? a : b;
  const place = question.index.map((i, dimension) =>
    dimension === axis && from === b ? i - first : i,
  );
  return { from: cell(from, flatIndex('concat', from.shape, place)) };
};
