// A smooth rectified linear unit.

import { single } from './kit/cells.js';
import { single as singleSide } from './kit/derivations.js';
import { elementwise } from './kit/partials.js';

/** @typedef {import('../base/values.js').Values} Values */
/** @template V @typedef {import('../eager/forms.js').Like<V>} Like */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** The method of a tape.
 * @satisfies {ThisType<import('../tape/nodes.js').Nodes>} */
export const tape = {
  /** @param {Tensor} x @param {string} name */
  softplus(x, name) {
    return this.push('softplus', { x }, {}, name);
  },
};

/** The function on plain data.
 * @param {import('../eager/kit.js').Kit} kit */
export const eager = ({ each }) => ({
  /** @template {Values | number} V
   * @param {V} x
   * @returns {Like<V>}
   * @example
   * gf.softplus([0, 1]); // = [0.6931, 1.3133] */
  softplus: (x) => each('softplus', x),
});

/** @type {import('./kit/cells.js').Story} */
export const story = single;

/** y = log(1 + exp x)
 * @type {import('./kit/partials.js').Rule[]} */
export const partials = [
  (question) =>
    elementwise(question, (x, { gf }) => {
      const s = gf.sigmoid(x);
      return { value: s, formula: 's', parts: { s } };
    }),
];

/** @type {import('./kit/code.js').Code} */
export const code = {
  numpy: ({ inputs: [x] }) => `np.logaddexp(0, ${x})`,
  pytorch: ({ inputs: [x] }) => `F.softplus(${x})`,
  javascript: ({ inputs: [x] }) => `gf.softplus(${x})`,
};

/** @type {import('./kit/page.js').Derivation} */
export const derivation = (notation) => singleSide(notation, (x) => notation.call('softplus', x));

/** @type {import('./kit/page.js').Caption} */
export const caption =
  ({ number }) =>
  ({ op, x }) => ['call', { fn: op, x: number(x) }];

/** @type {import('./kit/page.js').Lines} */
export const lines =
  ({ valued }) =>
  ({ x }) => [`the softplus of ${valued(x)}`];
