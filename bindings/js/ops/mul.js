// Products number by number, one of the factors repeated.

import { pair, productOf } from './kit/cells.js';
import { product } from './kit/derivations.js';
import { pairwise } from './kit/partials.js';

/** @typedef {import('../base/values.js').Values} Values */
/** @template V @typedef {import('../eager/forms.js').Like<V>} Like */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** The method of a tape.
 * @satisfies {ThisType<import('../tape/nodes.js').Nodes>} */
export const tape = {
  /** y = a b, number by number, b repeated over the leading dimensions that it lacks, and where it has a 1; or a number.
   * @param {Tensor} a @param {Tensor | number} b @param {string} name */
  mul(a, b, name) {
    return this.pair('mul', a, b, name);
  },
};

/** The function on plain data.
 * @param {import('../eager/kit.js').Kit} kit */
export const eager = ({ pair }) => ({
  /** a b, number by number, b repeated over the leading dimensions that it lacks, and where it has a 1; or a number.
   * @template {Values} V
   * @param {V} a @param {Values | number} b
   * @returns {Like<V>}
   * @example
   * gf.mul([[1, 2], [3, 4]], [10, 20]); // = [[10, 40], [30, 80]] */
  mul: (a, b) => pair('mul', a, b),
});

/** A sum of one product.
 * @type {import('./kit/cells.js').Story} */
export const story = (question) => {
  const { a, b } = pair(question);
  const term = productOf(a, b);
  return { terms: [{ ...term, sum: term.product }], bias: null };
};

/** y = a b
 * @type {import('./kit/partials.js').Rule[]} */
export const partials = pairwise(
  (_, b) => ({ value: b.value, formula: 'b', parts: { b } }),
  (a) => ({ value: a.value, formula: 'a', parts: { a } }),
);

/** @type {import('./kit/code.js').Code} */
export const code = {
  numpy: ({ inputs: [a, b] }) => `${a} * ${b}`,
  pytorch: ({ inputs: [a, b] }) => `${a} * ${b}`,
  javascript: ({ inputs: [a, b] }) => `gf.mul(${a}, ${b})`,
};

/** @type {import('./kit/page.js').Derivation} */
export const derivation = (notation) => {
  const { mathml, operand } = notation;
  return product(notation, (step) => mathml`${operand(step, 0)}<mo>⊙</mo>${operand(step, 1)}`);
};

/** @type {import('./kit/page.js').Drawing} */
export const drawing = { sign: '⊙' };
