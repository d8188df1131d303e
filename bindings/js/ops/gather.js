// Gathering slices by ids.

import { flatIndex } from '../base/cell.js';
import { cellIndex } from '../base/values.js';
import { cell, operand } from './kit/cells.js';
import { copied } from './kit/partials.js';

/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** The method of a tape.
 * @satisfies {ThisType<import('../tape/nodes.js').Nodes>} */
export const tape = {
  /** y[.., i, ..] = x[.., ids[i], ..] along an axis.
   * @param {Tensor} x @param {Tensor} ids @param {number} axis @param {string} name */
  gather(x, ids, axis, name) {
    return this.push('gather', { x, ids }, { axis }, name);
  },
};

/** @type {import('./kit/cells.js').Story} */
export const story = (question) => {
  const [x, ids] = [operand(question, 0), operand(question, 1)];
  const { axis } = question.step.attributes;
  const { index } = question;
  const rank = ids.shape.length;
  const id = ids.data[flatIndex('gather', ids.shape, index.slice(axis, axis + rank))];
  const place = [...index.slice(0, axis), id, ...index.slice(axis + rank)];
  return { id, from: cell(x, flatIndex('gather', x.shape, place)) };
};

/** y[..., i, ...] = x[..., ids[i], ...]
 * @type {import('./kit/partials.js').Rule[]} */
export const partials = [
  (question) => {
    const { axis } = question.step.attributes;
    const { shape } = operand(question, 0);
    const ids = operand(question, 1).data;
    const width = shape.slice(axis + 1).reduce((size, d) => size * d, 1);
    const size = shape[axis] * width;
    const block = Math.floor(question.offset / size);
    const [row, inner] = cellIndex([shape[axis], width], question.offset % size);
    return [...ids].flatMap((id, i) =>
      id === row ? [copied((block * ids.length + i) * width + inner)] : [],
    );
  },
];

/** @type {import('./kit/code.js').Code} */
export const code = {
  numpy: ({ step, inputs: [x, ids] }) => `np.take(${x}, ${ids}, axis=${step.attributes.axis})`,
  pytorch: ({ step, inputs: [x, ids] }) =>
    `${x}.index_select(${step.attributes.axis}, ${ids}.flatten())`,
  javascript: ({ step, inputs: [x, ids] }) => `gf.gather(${x}, ${ids}, ${step.attributes.axis})`,
};
