// Sums over an axis.

import { copied } from './kit/partials.js';
import { reduced, summed, within } from './kit/reductions.js';

/** @typedef {import('../base/values.js').Values} Values */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */
/** @typedef {import('./kit/reductions.js').ReduceOptions} ReduceOptions */
/** @template V @template A @template K @typedef {import('../eager/forms.js').Summed<V, A, K>} Summed */

/** The method of a tape.
 * @satisfies {ThisType<import('../tape/nodes.js').Nodes>} */
export const tape = {
  /** The sum over one axis, or over all by default.
   * @param {Tensor} x @param {ReduceOptions} options @param {string} name */
  sum(x, options, name) {
    return this.push('sum', { x }, reduced('sum', options), name);
  },
};

/** The function on plain data.
 * @param {import('../eager/kit.js').Kit} kit */
export const eager = ({ reduce }) => ({
  /** The sum over one axis, or over all by default.
   * @template {Values} V
   * @template {number | undefined} [A=undefined]
   * @template {boolean} [K=false]
   * @param {V} x @param {{ axis?: A, keepDims?: K }} [options]
   * @returns {Summed<V, A, K>}
   * @example
   * gf.sum([[1, 2], [3, 4]]); // = 10
   * gf.sum([[1, 2], [3, 4]], { axis: 0 }); // = [4, 6] */
  sum: (x, options = {}) => reduce('sum', x, options),
});

/** @type {import('./kit/cells.js').Story} */
export const story = summed;

/** y = sum x
 * @type {import('./kit/partials.js').Rule[]} */
export const partials = [(question) => [copied(within(question).result)]];
