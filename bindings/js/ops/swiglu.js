// SwiGLU: a gated product.

import { cell, f32, operand, single } from './kit/cells.js';
import { elementwise } from './kit/partials.js';
import { sigmoids } from './sigmoid.js';

/** @typedef {import('../base/values.js').Values} Values */
/** @template V @typedef {import('../eager/forms.js').Like<V>} Like */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** The method of a tape.
 * @satisfies {ThisType<import('../tape/nodes.js').Nodes>} */
export const tape = {
  /** y = gate sigmoid(factor gate) up
   * @param {Tensor} gate @param {Tensor} up @param {number} factor usually 1 @param {string} name */
  swiglu(gate, up, factor, name) {
    return this.push('swiglu', { gate, up }, { factor }, name);
  },
};

/** The function on plain data.
 * @param {import('../eager/kit.js').Kit} kit */
export const eager = ({ apply }) => ({
  /** gate sigmoid(factor gate) up, of equal shapes.
   * @template {Values} V
   * @param {V} gate @param {Values} up @param {number} [factor] 1 by default
   * @returns {Like<V>}
   * @example
   * gf.swiglu([0, 1], [5, 2]); // = [0, 1.4621] */
  swiglu: (gate, up, factor = 1) => apply('swiglu', { gate, up }, factor),
});

/** @type {import('./kit/cells.js').Story} */
export const story = (question) => {
  const { x: a } = single(question);
  const { factor } = question.step.attributes;
  const share = question.gf.sigmoid(f32(factor * a.value));
  return { a, b: cell(operand(question, 1), question.offset), factor, share };
};

/** y = gate s up, s = sigmoid(factor gate)
 * @type {import('./kit/partials.js').Rule[]} */
export const partials = [
  (question) =>
    elementwise(question, (gate) => {
      const { factor } = question.step.attributes;
      const up = cell(operand(question, 1), question.offset);
      const s = question.gf.sigmoid(f32(factor * gate));
      const value = up.value * (s + factor * gate * s * (1 - s));
      return { value, formula: 'up (s + factor x s (1 - s))', parts: { up, s, factor } };
    }),
  (question) => {
    const gate = cell(operand(question, 0), question.offset);
    const s = question.gf.sigmoid(f32(question.step.attributes.factor * gate.value));
    const value = f32(gate.value * s);
    return [{ offset: question.offset, value, formula: 'gate s', parts: { gate, s } }];
  },
];

/** @type {import('./kit/code.js').Code} */
export const code = {
  numpy: ({ step, inputs: [gate, up], float }) =>
    `${gate} * sigmoid(${float(step.attributes.factor)} * ${gate}) * ${up}`,
  pytorch: ({ step, inputs: [gate, up], shortest }) =>
    `${gate} * torch.sigmoid(${shortest(step.attributes.factor)} * ${gate}) * ${up}`,
  javascript: ({ step, inputs: [gate, up], shortest }) =>
    `gf.swiglu(${gate}, ${up}, ${shortest(step.attributes.factor)})`,
  helpers: {
    numpy: sigmoids,
  },
};

/** @type {import('./kit/page.js').Derivation} */
export const derivation = ({ mathml, operand, cell, value, plainNumber, call }) => ({
  symbols: (step) =>
    mathml`${operand(step, 0)}<mo>·</mo>${call('σ', operand(step, 0))}<mo>·</mo>${operand(step, 1)}`,
  indices: ({ a, b }) => [mathml`${cell(a)}<mo>·</mo>${call('σ', cell(a))}<mo>·</mo>${cell(b)}`],
  numbers: ({ a, b, share }) => [
    mathml`${value(a)}<mo>·</mo>${plainNumber(share)}<mo>·</mo>${value(b, true)}`,
  ],
});

/** @type {import('./kit/page.js').Caption} */
export const caption =
  ({ number, plain }) =>
  ({ a, b, share }) => [
    'letThrough',
    { a: number(a), b: number(b, { signed: true }), share: plain(share) },
  ];

/** @type {import('./kit/page.js').Lines} */
export const lines =
  ({ valued, exact }) =>
  ({ a, b, share }) => [valued(a), `× ${exact(share)}, its sigmoid`, `× ${valued(b)}`];
