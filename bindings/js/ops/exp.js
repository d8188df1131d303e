// The exponential function.

import { called } from './kit/captions.js';
import { single } from './kit/cells.js';
import { single as singleSide } from './kit/derivations.js';
import { elementwise } from './kit/partials.js';

/** @typedef {import('../base/values.js').Values} Values */
/** @template V @typedef {import('../eager/forms.js').Like<V>} Like */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** The method of a tape.
 * @satisfies {ThisType<import('../tape/nodes.js').Nodes>} */
export const tape = {
  /** e^x
   * @param {Tensor} x @param {string} name */
  exp(x, name) {
    return this.push('exp', { x }, {}, name);
  },
};

/** The function on plain data.
 * @param {import('../eager/kit.js').Kit} kit */
export const eager = ({ each }) => ({
  /** e^x, the core's own: one term of a softmax.
   * @template {Values | number} V
   * @param {V} x
   * @returns {Like<V>}
   * @example
   * gf.exp([0, 1]); // = [1, 2.7183]
   * gf.exp(0); // = 1 */
  exp: (x) => each('exp', x),
});

/** @type {import('./kit/cells.js').Story} */
export const story = single;

/** @type {import('./kit/partials.js').Rule[]} */
export const partials = [
  (question) =>
    elementwise(question, (_, { step, offset }) => ({
      value: step.data[offset],
      formula: 'y',
      parts: { y: step.data[offset] },
    })),
];

/** @type {import('./kit/page.js').Derivation} */
export const derivation = (notation) => singleSide(notation, notation.power);

/** @type {import('./kit/page.js').Caption} */
export const caption = called;

/** @type {import('./kit/page.js').Lines} */
export const lines =
  ({ valued }) =>
  ({ x }) => [`e to the power of ${valued(x)}`];
