// Concatenation along an axis.

import { flatIndex } from '../base/cell.js';
import { cellIndex } from '../base/values.js';
import { cell, operand } from './kit/cells.js';
import { copied } from './kit/partials.js';

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

/** y = a, then b
 * @type {import('./kit/partials.js').Rule[]} */
export const partials = [0, 1].map((k) => (question) => {
  const { shape, attributes } = question.step;
  const [a, x] = [operand(question, 0), operand(question, k)];
  const place = cellIndex(x.shape, question.offset);
  place[attributes.axis] += k * a.shape[attributes.axis];
  return [copied(flatIndex('concat', shape, place))];
});
