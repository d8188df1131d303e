// x times the probability that a normal number is below it.

import { checkOptions, checkWord } from '../base/errors.js';
import { gated as gatedCaption } from './kit/captions.js';
import { f32, single } from './kit/cells.js';
import { options } from './kit/code.js';
import { gated } from './kit/derivations.js';
import { elementwise } from './kit/partials.js';

/** @typedef {import('../base/values.js').Values} Values */
/** @template V @typedef {import('../eager/forms.js').Like<V>} Like */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** The method of a tape.
 * @satisfies {ThisType<import('../tape/nodes.js').Nodes>} */
export const tape = {
  /** y = x Phi(x), Phi the normal distribution; approximate 'tanh' is the older form.
   * @param {Tensor} x @param {{ approximate?: 'none' | 'tanh' }} options @param {string} name */
  gelu(x, options, name) {
    checkOptions('gelu', options, ['approximate']);
    const { approximate = 'none' } = options;
    checkWord('gelu: approximate', approximate, ['none', 'tanh']);
    return this.push('gelu', { x }, { tanh_form: approximate === 'tanh' }, name);
  },
};

/** The function on plain data.
 * @param {import('../eager/kit.js').Kit} kit */
export const eager = ({ each }) => ({
  /** x Phi(x), Phi the normal distribution; approximate: 'tanh' is the older form.
   * @template {Values | number} V
   * @param {V} x @param {{ approximate?: 'none' | 'tanh' }} [options]
   * @returns {Like<V>}
   * @example
   * gf.gelu([-1, 0, 1]); // = [-0.1587, 0, 0.8413]
   * gf.gelu([-1, 0, 1], { approximate: 'tanh' }); // = [-0.1588, 0, 0.8412] */
  gelu: (x, options = {}) => each('gelu', x, options),
});

/** sqrt(2 / pi), and the weight of the cube, as the core has them. */
const ROOT_2_OVER_PI = f32(Math.sqrt(2 / Math.PI));
const CUBE = f32(0.044715);

/** @type {import('./kit/cells.js').Story} */
export const story = (question) => {
  const { x } = single(question);
  const { value } = x;
  const { gf } = question;
  if (!question.step.attributes.tanh_form) return { x, share: gf.phi(value) };
  const cube = f32(f32(f32(CUBE * value) * value) * value);
  /* (1 + tanh u) / 2 */
  return { x, share: gf.sigmoid(f32(2 * f32(ROOT_2_OVER_PI * f32(value + cube)))) };
};

/** y = x Phi(x), or x s, s = (1 + tanh u) / 2 = sigmoid(2 u), u = sqrt(2/pi) (x + 0.044715 x^3)
 * @type {import('./kit/partials.js').Rule[]} */
export const partials = [
  (question) =>
    elementwise(question, (x, { step, gf }) => {
      if (step.attributes.tanh_form) {
        const root = Math.sqrt(2 / Math.PI);
        const s = gf.sigmoid(f32(2 * root * (x + 0.044715 * x ** 3)));
        const du = root * (1 + 3 * 0.044715 * x * x);
        const value = s + 2 * x * s * (1 - s) * du;
        return { value, formula: 's + 2 x s (1 - s) du', parts: { s, du: f32(du) } };
      }
      const Phi = gf.phi(x);
      const phi = gf.exp(f32((-x * x) / 2)) / Math.sqrt(2 * Math.PI);
      const parts = { Phi: f32(Phi), phi: f32(phi) };
      return { value: Phi + x * phi, formula: 'Phi + x phi', parts };
    }),
];

/** @type {import('./kit/code.js').Code} */
export const code = {
  numpy: ({ step, inputs: [x] }) => (step.attributes.tanh_form ? `gelu_tanh(${x})` : `gelu(${x})`),
  pytorch: ({ step, inputs: [x] }) =>
    `F.gelu(${x}${step.attributes.tanh_form ? ', approximate="tanh"' : ''})`,
  javascript: ({ step, inputs: [x] }) =>
    `gf.gelu(${x}${options({ approximate: step.attributes.tanh_form ? "'tanh'" : '' })})`,
  helpers: {
    numpy: {
      gelu: `def gelu(x):
    return (x * np.vectorize(math.erfc)(-x / math.sqrt(2)) / 2).astype(np.float32)`,
      gelu_tanh: `def gelu_tanh(x):
    return x / 2 * (1 + np.tanh(np.float32(math.sqrt(2 / math.pi)) * (x + np.float32(0.044715) * x**3)))`,
    },
  },
};

/** @type {import('./kit/page.js').Derivation} */
export const derivation = (notation) => gated(notation, 'Φ');

/** @type {import('./kit/page.js').Caption} */
export const caption = gatedCaption;

/** @type {import('./kit/page.js').Lines} */
export const lines =
  ({ valued, exact }) =>
  ({ x, share }) => [valued(x), `× ${exact(share)}, the probability below it`];
