// Powers with a constant exponent.

import { single } from './kit/cells.js';
import { elementwise } from './kit/partials.js';

/** @typedef {import('../base/values.js').Values} Values */
/** @template V @typedef {import('../eager/forms.js').Like<V>} Like */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** The method of a tape.
 * @satisfies {ThisType<import('../tape/nodes.js').Nodes>} */
export const tape = {
  /** x^exponent: NaN of what is below 0, unless the exponent is an integer.
   * @param {Tensor} x @param {number} exponent @param {string} name */
  pow(x, exponent, name) {
    return this.push('pow', { x }, { exponent }, name);
  },
};

/** The function on plain data.
 * @param {import('../eager/kit.js').Kit} kit */
export const eager = ({ each }) => ({
  /** x^exponent: NaN of what is below 0, unless the exponent is an integer.
   * @template {Values | number} V
   * @param {V} x @param {number} exponent
   * @returns {Like<V>}
   * @example
   * gf.pow([2, -3], 2); // = [4, 9] */
  pow: (x, exponent) => each('pow', x, exponent),
});

/** @type {import('./kit/cells.js').Story} */
export const story = single;

/** @type {import('./kit/partials.js').Rule[]} */
export const partials = [
  (question) =>
    elementwise(question, (x, { step }) => ({
      value:
        step.attributes.exponent && step.attributes.exponent * x ** (step.attributes.exponent - 1),
      formula: 'exponent x^(exponent - 1)',
      parts: { exponent: step.attributes.exponent },
    })),
];
