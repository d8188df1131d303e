// Sums of two, one of them repeated.

import { pair, widthOf } from './kit/cells.js';
import { one, pairwise } from './kit/partials.js';
import { rows } from './kit/uses.js';

/** @typedef {import('../base/values.js').Values} Values */
/** @template V @typedef {import('../eager/forms.js').Like<V>} Like */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** The method of a tape.
 * @satisfies {ThisType<import('../tape/nodes.js').Nodes>} */
export const tape = {
  /** y = a + b, b repeated over the leading dimensions that it lacks, and where it has a 1; or a number.
   * @param {Tensor} a @param {Tensor | number} b @param {string} name */
  add(a, b, name) {
    return this.pair('add', a, b, name);
  },
};

/** The function on plain data.
 * @param {import('../eager/kit.js').Kit} kit */
export const eager = ({ pair }) => ({
  /** a + b, b repeated over the leading dimensions that it lacks, and where it has a 1; or a number.
   * @template {Values} V
   * @param {V} a @param {Values | number} b
   * @returns {Like<V>}
   * @example
   * gf.add([[1, 2], [3, 4]], [10, 20]); // = [[11, 22], [13, 24]] */
  add: (a, b) => pair('add', a, b),
});

/** @type {import('./kit/cells.js').Story} */
export const story = pair;

/** y = a + b
 * @type {import('./kit/partials.js').Rule[]} */
export const partials = pairwise(one, one);

/** @type {import('./kit/code.js').Code} */
export const code = {
  numpy: ({ inputs: [a, b] }) => `${a} + ${b}`,
  pytorch: ({ inputs: [a, b] }) => `${a} + ${b}`,
  javascript: ({ inputs: [a, b] }) => `gf.add(${a}, ${b})`,
};

/** @type {import('./kit/page.js').Derivation} */
export const derivation = ({ mathml, plus, operand, cell, value }) => ({
  symbols: (step) => mathml`${operand(step, 0)}${plus}${operand(step, 1)}`,
  indices: ({ a, b }) => [mathml`${cell(a)}${plus}${cell(b)}`],
  numbers: ({ a, b }) => [mathml`${value(a)}${plus}${value(b, true)}`],
});

/** @type {import('./kit/page.js').Caption} */
export const caption =
  ({ number }) =>
  ({ a, b }) => ['add', { a: number(a), b: number(b, { signed: true }) }];

/** @type {import('./kit/page.js').Drawing} */
export const drawing = {
  sign: '+',
  intro: () => 'introAdd',
};

/** y = x + b, b repeated  =>  db_j = sum_r dy_rj
 * @type {import('./kit/uses.js').Uses} */
export const uses = (node, _, { j }) =>
  rows(node, (row) => ({ gradient: row * widthOf(node) + j }));

/** @type {import('./kit/page.js').Lines} */
export const lines =
  ({ valued }) =>
  ({ a, b }) => [valued(a), `+ ${valued(b)}`];
