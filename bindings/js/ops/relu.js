// ReLU: numbers below 0 become 0.

import { single } from './kit/cells.js';
import { single as singleSide } from './kit/derivations.js';
import { elementwise } from './kit/partials.js';

/** @typedef {import('../base/values.js').Values} Values */
/** @template V @typedef {import('../eager/forms.js').Like<V>} Like */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** The method of a tape.
 * @satisfies {ThisType<import('../tape/nodes.js').Nodes>} */
export const tape = {
  /** y = max(0, x)
   * @param {Tensor} x @param {string} name */
  relu(x, name) {
    return this.push('relu', { x }, {}, name);
  },
};

/** The function on plain data.
 * @param {import('../eager/kit.js').Kit} kit */
export const eager = ({ each }) => ({
  /** max(0, x)
   * @template {Values | number} V
   * @param {V} x
   * @returns {Like<V>}
   * @example
   * gf.relu([-1, 0, 2]); // = [0, 0, 2] */
  relu: (x) => each('relu', x),
});

/** @type {import('./kit/cells.js').Story} */
export const story = single;

/** y = max(0, x)
 * @type {import('./kit/partials.js').Rule[]} */
export const partials = [
  (question) =>
    elementwise(question, (x) => {
      const value = Number.isNaN(x) ? x : Number(x > 0);
      return { value, formula: '[x > 0]', parts: {} };
    }),
];

/** @type {import('./kit/code.js').Code} */
export const code = {
  numpy: ({ inputs: [x] }) => `np.maximum(${x}, 0)`,
  pytorch: ({ inputs: [x] }) => `F.relu(${x})`,
  javascript: ({ inputs: [x] }) => `gf.relu(${x})`,
};

/** @type {import('./kit/page.js').Derivation} */
export const derivation = (notation) => {
  const { mathml, call, separator } = notation;
  return singleSide(notation, (x) => call('max', mathml`<mn>0</mn>${separator}${x}`));
};

/** @type {import('./kit/page.js').Caption} */
export const caption =
  ({ number }) =>
  ({ x }) => ['larger', { x: number(x) }];

/** @type {import('./kit/page.js').Lines} */
export const lines =
  ({ valued }) =>
  ({ x }) => [`the larger of 0 and ${valued(x)}`];
