// The square root.

import { single } from './kit/cells.js';
import { elementwise } from './kit/partials.js';

/** @typedef {import('../base/values.js').Values} Values */
/** @template V @typedef {import('../eager/forms.js').Like<V>} Like */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** The method of a tape.
 * @satisfies {ThisType<import('../tape/nodes.js').Nodes>} */
export const tape = {
  /** The square root; NaN of what is below 0.
   * @param {Tensor} x @param {string} name */
  sqrt(x, name) {
    return this.push('sqrt', { x }, {}, name);
  },
};

/** The function on plain data.
 * @param {import('../eager/kit.js').Kit} kit */
export const eager = ({ each }) => ({
  /** The square root; NaN of what is below 0.
   * @template {Values | number} V
   * @param {V} x
   * @returns {Like<V>}
   * @example
   * gf.sqrt([4, 9]); // = [2, 3] */
  sqrt: (x) => each('sqrt', x),
});

/** @type {import('./kit/cells.js').Story} */
export const story = single;

/** @type {import('./kit/partials.js').Rule[]} */
export const partials = [
  (question) =>
    elementwise(question, (_, { step, offset }) => ({
      value: 0.5 / step.data[offset],
      formula: '1 / (2 y)',
      parts: { y: step.data[offset] },
    })),
];
