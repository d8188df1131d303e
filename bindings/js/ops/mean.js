// Means over an axis.

import { f32 } from './kit/cells.js';
import { reduced, summed, within } from './kit/reductions.js';

/** @typedef {import('../base/values.js').Values} Values */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */
/** @typedef {import('./kit/reductions.js').ReduceOptions} ReduceOptions */
/** @template V @template A @template K @typedef {import('../eager/forms.js').Summed<V, A, K>} Summed */

/** The method of a tape.
 * @satisfies {ThisType<import('../tape/nodes.js').Nodes>} */
export const tape = {
  /** The mean over one axis, or over all by default.
   * @param {Tensor} x @param {ReduceOptions} options @param {string} name */
  mean(x, options, name) {
    return this.push('mean', { x }, reduced('mean', options), name);
  },
};

/** The function on plain data.
 * @param {import('../eager/kit.js').Kit} kit */
export const eager = ({ reduce }) => ({
  /** The mean over one axis, or over all by default.
   * @template {Values} V
   * @template {number | undefined} [A=undefined]
   * @template {boolean} [K=false]
   * @param {V} x @param {{ axis?: A, keepDims?: K }} [options]
   * @returns {Summed<V, A, K>}
   * @example
   * gf.mean([[1, 2], [3, 4]], { axis: -1, keepDims: true }); // = [[1.5], [3.5]] */
  mean: (x, options = {}) => reduce('mean', x, options),
});

/** @type {import('./kit/cells.js').Story} */
export const story = (question) => {
  const { parts, total } = summed(question);
  return { parts, total, count: parts.length };
};

/** y = sum x / n
 * @type {import('./kit/partials.js').Rule[]} */
export const partials = [
  (question) => {
    const { result, places } = within(question);
    const n = places.length;
    return [{ offset: result, value: f32(1 / n), formula: '1 / n', parts: { n } }];
  },
];
