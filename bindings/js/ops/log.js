// The natural logarithm.

import { single } from './kit/cells.js';
import { elementwise } from './kit/partials.js';

/** @typedef {import('../base/values.js').Values} Values */
/** @template V @typedef {import('../eager/forms.js').Like<V>} Like */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** The method of a tape.
 * @satisfies {ThisType<import('../tape/nodes.js').Nodes>} */
export const tape = {
  /** The natural logarithm: -Infinity of 0, NaN of what is below.
   * @param {Tensor} x @param {string} name */
  log(x, name) {
    return this.push('log', { x }, {}, name);
  },
};

/** The function on plain data.
 * @param {import('../eager/kit.js').Kit} kit */
export const eager = ({ each }) => ({
  /** The natural logarithm: -Infinity of 0, NaN of what is below.
   * @template {Values | number} V
   * @param {V} x
   * @returns {Like<V>}
   * @example
   * gf.log([1, Math.E]); // = [0, 1] */
  log: (x) => each('log', x),
});

/** @type {import('./kit/cells.js').Story} */
export const story = single;

/** @type {import('./kit/partials.js').Rule[]} */
export const partials = [
  (question) =>
    elementwise(question, (x) => ({
      value: 1 / x,
      formula: '1 / x',
      parts: {},
    })),
];
