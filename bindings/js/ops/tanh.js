// The hyperbolic tangent.

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
  /** The hyperbolic tangent, between -1 and 1.
   * @param {Tensor} x @param {string} name */
  tanh(x, name) {
    return this.push('tanh', { x }, {}, name);
  },
};

/** The function on plain data.
 * @param {import('../eager/kit.js').Kit} kit */
export const eager = ({ each }) => ({
  /** The hyperbolic tangent, between -1 and 1.
   * @template {Values | number} V
   * @param {V} x
   * @returns {Like<V>}
   * @example
   * gf.tanh([0, 1]); // = [0, 0.7616] */
  tanh: (x) => each('tanh', x),
});

/** @type {import('./kit/cells.js').Story} */
export const story = single;

/** y = tanh x
 * @type {import('./kit/partials.js').Rule[]} */
export const partials = [
  (question) =>
    elementwise(question, (_, { step, offset }) => {
      const y = step.data[offset];
      return { value: 1 - y * y, formula: '1 - y^2', parts: { y } };
    }),
];

/** @type {import('./kit/code.js').Code} */
export const code = {
  numpy: ({ inputs: [x] }) => `np.tanh(${x})`,
  pytorch: ({ inputs: [x] }) => `torch.tanh(${x})`,
  javascript: ({ inputs: [x] }) => `gf.tanh(${x})`,
};

/** @type {import('./kit/page.js').Derivation} */
export const derivation = (notation) => singleSide(notation, (x) => notation.call('tanh', x));

/** @type {import('./kit/page.js').Caption} */
export const caption = called;

/** @type {import('./kit/page.js').Lines} */
export const lines =
  ({ valued }) =>
  ({ x }) => [`the tanh of ${valued(x)}`];
