// The largest along an axis.

import { cell, f32, operand } from './kit/cells.js';
import { cut } from './kit/partials.js';
import { reduced, resultOf, within } from './kit/reductions.js';

/** @typedef {import('../base/values.js').Values} Values */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */
/** @typedef {import('./kit/reductions.js').ReduceOptions} ReduceOptions */
/** @template V @template A @template K @typedef {import('../eager/forms.js').Summed<V, A, K>} Summed */

/** The method of a tape.
 * @satisfies {ThisType<import('../tape/nodes.js').Nodes>} */
export const tape = {
  /** The largest over one axis, or of all by default; NaN if one is. Equals share the gradient, as those of torch.amax.
   * @param {Tensor} x @param {ReduceOptions} options @param {string} name */
  amax(x, options, name) {
    return this.push('amax', { x }, reduced('amax', options), name);
  },
};

/** The function on plain data.
 * @param {import('../eager/kit.js').Kit} kit */
export const eager = ({ reduce }) => ({
  /** The largest over one axis, or of all by default; NaN if one is. Equals share the gradient, as those of torch.amax.
   * @template {Values} V
   * @template {number | undefined} [A=undefined]
   * @template {boolean} [K=false]
   * @param {V} x @param {{ axis?: A, keepDims?: K }} [options]
   * @returns {Summed<V, A, K>}
   * @example
   * gf.amax([[1, 4], [3, 2]], { axis: 1 }); // = [4, 3] */
  amax: (x, options = {}) => reduce('amax', x, options),
});

/** @type {import('./kit/cells.js').Story} */
export const story = (question) => {
  const x = operand(question, 0);
  const value = question.step.data[question.offset];
  const place = resultOf(question).find((offset) => Object.is(x.data[offset], value));
  return { from: cell(x, /** @type {number} */ (place)) };
};

/** y = max x, which m numbers are
 * @type {import('./kit/partials.js').Rule[]} */
export const partials = [
  (question) => {
    const { result, places } = within(question);
    const { data } = operand(question, 0);
    const max = question.step.data[result];
    if (data[question.offset] !== max) return [cut(result)];
    const m = places.filter((place) => data[place] === max).length;
    return [{ offset: result, value: f32(1 / m), formula: '1 / m', parts: { m } }];
  },
];
