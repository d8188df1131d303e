// The logistic function.

import { called } from './kit/captions.js';
import { single } from './kit/cells.js';
import { single as singleSide } from './kit/derivations.js';

/** @typedef {import('../base/values.js').Values} Values */
/** @template V @typedef {import('../eager/forms.js').Like<V>} Like */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** The method of a tape.
 * @satisfies {ThisType<import('../tape/nodes.js').Nodes>} */
export const tape = {
  /** y = 1 / (1 + e^-x)
   * @param {Tensor} x @param {string} name */
  sigmoid(x, name) {
    return this.push('sigmoid', { x }, {}, name);
  },
};

/** The function on plain data.
 * @param {import('../eager/kit.js').Kit} kit */
export const eager = ({ each }) => ({
  /** 1 / (1 + e^-x)
   * @template {Values | number} V
   * @param {V} x
   * @returns {Like<V>}
   * @example
   * gf.sigmoid([0, Math.log(3)]); // = [0.5, 0.75] */
  sigmoid: (x) => each('sigmoid', x),
});

/** @type {import('./kit/cells.js').Story} */
export const story = single;

export const sigmoids = {
  sigmoid: `def sigmoid(x):
    return 1 / (1 + np.exp(-x))`,
};

/** @type {import('./kit/code.js').Code} */
export const code = {
  numpy: ({ inputs: [x] }) => `sigmoid(${x})`,
  pytorch: ({ inputs: [x] }) => `torch.sigmoid(${x})`,
  javascript: ({ inputs: [x] }) => `gf.sigmoid(${x})`,
  helpers: { numpy: sigmoids },
};

/** @type {import('./kit/page.js').Derivation} */
export const derivation = (notation) => singleSide(notation, (x) => notation.call('σ', x));

/** @type {import('./kit/page.js').Caption} */
export const caption = called;

/** @type {import('./kit/page.js').Lines} */
export const lines =
  ({ valued }) =>
  ({ x }) => [`the sigmoid of ${valued(x)}`];
