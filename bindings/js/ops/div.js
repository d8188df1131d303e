// Quotients of two, one of them repeated.

import { f32, pair } from './kit/cells.js';
import { pairwise } from './kit/partials.js';

/** @typedef {import('../base/values.js').Values} Values */
/** @template V @typedef {import('../eager/forms.js').Like<V>} Like */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** The method of a tape.
 * @satisfies {ThisType<import('../tape/nodes.js').Nodes>} */
export const tape = {
  /** y = a / b, b repeated over the leading dimensions that it lacks, and where it has a 1; or a number.
   * @param {Tensor} a @param {Tensor | number} b @param {string} name */
  div(a, b, name) {
    return this.pair('div', a, b, name);
  },
};

/** The function on plain data.
 * @param {import('../eager/kit.js').Kit} kit */
export const eager = ({ pair }) => ({
  /** a / b, b repeated over the leading dimensions that it lacks, and where it has a 1; or a number.
   * @template {Values} V
   * @param {V} a @param {Values | number} b
   * @returns {Like<V>}
   * @example
   * gf.div([[1, 2], [3, 4]], [[2], [4]]); // = [[0.5, 1], [0.75, 1]] */
  div: (a, b) => pair('div', a, b),
});

/** @type {import('./kit/cells.js').Story} */
export const story = pair;

/** y = a / b
 * @type {import('./kit/partials.js').Rule[]} */
export const partials = pairwise(
  (_, b) => ({ value: f32(1 / b.value), formula: '1 / b', parts: { b } }),
  (a, b) => ({ value: f32(-a.value / b.value ** 2), formula: '-a / b^2', parts: { a, b } }),
);
