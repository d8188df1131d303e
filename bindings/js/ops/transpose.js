// Transposition: axes in another order.

import { rangeError } from '../base/errors.js';
import { checkShape } from '../base/values.js';

/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** The method of a tape.
 * @satisfies {ThisType<import('../tape/nodes.js').Nodes>} */
export const tape = {
  /** Reorders the axes: axis i of y is axis order[i] of x.
   * @param {Tensor} x @param {number[]} order @param {string} name */
  transpose(x, order, name) {
    const axes = checkShape('transpose: order', order);
    /* push() refuses what is no tensor. */
    const shape = x?.shape ?? [];
    if (
      x?.shape &&
      (axes.length !== shape.length || shape.some((_, axis) => !axes.includes(axis)))
    ) {
      throw rangeError('axesOnce', { where: 'transpose: order', shape, axes });
    }
    return this.push('transpose', { x }, { order: axes }, name);
  },
};
