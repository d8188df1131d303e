// Differences of two, one of them repeated.

import { pair } from './kit/cells.js';
import { one, pairwise } from './kit/partials.js';

/** @typedef {import('../base/values.js').Values} Values */
/** @template V @typedef {import('../eager/forms.js').Like<V>} Like */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** The method of a tape.
 * @satisfies {ThisType<import('../tape/nodes.js').Nodes>} */
export const tape = {
  /** y = a - b, b repeated over the leading dimensions that it lacks, and where it has a 1; or a number.
   * @param {Tensor} a @param {Tensor | number} b @param {string} name */
  sub(a, b, name) {
    return this.pair('sub', a, b, name);
  },
};

/** The function on plain data.
 * @param {import('../eager/kit.js').Kit} kit */
export const eager = ({ pair }) => ({
  /** a - b, b repeated over the leading dimensions that it lacks, and where it has a 1; or a number.
   * @template {Values} V
   * @param {V} a @param {Values | number} b
   * @returns {Like<V>}
   * @example
   * gf.sub([[1, 2], [3, 4]], [10, 20]); // = [[-9, -18], [-7, -16]] */
  sub: (a, b) => pair('sub', a, b),
});

/** @type {import('./kit/cells.js').Story} */
export const story = pair;

/** y = a - b
 * @type {import('./kit/partials.js').Rule[]} */
export const partials = pairwise(one, () => ({ value: -1, formula: '-1', parts: {} }));
