// The largest of each row.

import { operand, rowOf, widthOf } from './kit/cells.js';

/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** The method of a tape.
 * @satisfies {ThisType<import('../tape/nodes.js').Nodes>} */
export const tape = {
  /** The k largest numbers of each row, largest first.
   * @param {Tensor} x @param {number} k @param {string} name */
  topK(x, k, name) {
    return this.push('top_k', { x }, { k, ids: false }, name);
  },

  /** The places of the k largest numbers of each row, as ids.
   * @param {Tensor} x @param {number} k @param {string} name */
  topKIds(x, k, name) {
    return this.push('top_k', { x }, { k, ids: true }, name, 'topKIds');
  },
};

/** Larger numbers first, NaN before all of them; of equals the one further left.
 * @param {{ value: number }} a @param {{ value: number }} b */
const order = ({ value: a }, { value: b }) =>
  Number(Number.isNaN(b)) - Number(Number.isNaN(a)) || Number(b > a) - Number(b < a);

/** @type {import('./kit/cells.js').Story} */
export const story = (question) => {
  const x = operand(question, 0);
  const k = widthOf(question.step);
  const first = Math.floor(question.offset / k) * widthOf(x);
  const ranked = rowOf(x, first).sort(order);
  return { from: ranked[question.offset % k] };
};

/** @type {import('./kit/page.js').Drawing} */
export const drawing = { intro: () => 'introRow' };
