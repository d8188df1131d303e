// x times its own sigmoid.

import { gated as gatedCaption } from './kit/captions.js';
import { f32, single } from './kit/cells.js';
import { gated } from './kit/derivations.js';
import { elementwise } from './kit/partials.js';
import { sigmoids } from './sigmoid.js';

/** @typedef {import('../base/values.js').Values} Values */
/** @template V @typedef {import('../eager/forms.js').Like<V>} Like */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** The method of a tape.
 * @satisfies {ThisType<import('../tape/nodes.js').Nodes>} */
export const tape = {
  /** y = x sigmoid(factor x), also called swish.
   * @param {Tensor} x @param {number} factor usually 1 @param {string} name */
  silu(x, factor, name) {
    return this.push('silu', { x }, { factor }, name);
  },
};

/** The function on plain data.
 * @param {import('../eager/kit.js').Kit} kit */
export const eager = ({ each }) => ({
  /** x sigmoid(factor x), also called swish.
   * @template {Values | number} V
   * @param {V} x @param {number} [factor] 1 by default
   * @returns {Like<V>}
   * @example
   * gf.silu([0, 1]); // = [0, 0.7311] */
  silu: (x, factor = 1) => each('silu', x, factor),
});

/** @type {import('./kit/cells.js').Story} */
export const story = (question) => {
  const { x } = single(question);
  const { factor } = question.step.attributes;
  return { x, factor, share: question.gf.sigmoid(f32(factor * x.value)) };
};

/** y = x s, s = sigmoid(factor x)
 * @type {import('./kit/partials.js').Rule[]} */
export const partials = [
  (question) =>
    elementwise(question, (x, { step, gf }) => {
      const { factor } = step.attributes;
      const s = gf.sigmoid(f32(factor * x));
      const value = s + factor * x * s * (1 - s);
      return { value, formula: 's + factor x s (1 - s)', parts: { s, factor } };
    }),
];

/** @type {import('./kit/code.js').Code} */
export const code = {
  numpy: ({ step, inputs: [x], float }) =>
    `${x} * sigmoid(${float(step.attributes.factor)} * ${x})`,
  pytorch: ({ step, inputs: [x], shortest }) =>
    `${x} * torch.sigmoid(${shortest(step.attributes.factor)} * ${x})`,
  javascript: ({ step, inputs: [x], shortest }) =>
    `gf.silu(${x}, ${shortest(step.attributes.factor)})`,
  helpers: {
    numpy: sigmoids,
  },
};

/** @type {import('./kit/page.js').Derivation} */
export const derivation = (notation) => gated(notation, 'σ');

/** @type {import('./kit/page.js').Caption} */
export const caption = gatedCaption;

/** @type {import('./kit/page.js').Lines} */
export const lines =
  ({ valued, exact }) =>
  ({ x, share }) => [valued(x), `× ${exact(share)}, its sigmoid`];
