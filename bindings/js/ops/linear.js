// A linear layer: x w + b.

import { cell, dot, operand, widthOf } from './kit/cells.js';
import { product } from './kit/derivations.js';
import { integerParts } from './kit/integers.js';
import { each, repeated, times } from './kit/partials.js';
import { rows } from './kit/uses.js';

/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** The method of a tape.
 * @satisfies {ThisType<import('../tape/nodes.js').Nodes>} */
export const tape = {
  /** y = x w + b: x [...,K], w [K,N], b [N] or null -> [...,N]
   * @param {Tensor} x @param {Tensor} w @param {Tensor | null} b @param {string} name */
  linear(x, w, b, name) {
    return this.push('linear', { x, w, b }, {}, name);
  },
};

/** @type {import('./kit/cells.js').Story} */
export const story = (question) => {
  const [x, w] = [operand(question, 0), operand(question, 1)];
  const bias = question.operands[2];
  const [depth, width] = w.shape;
  const row = Math.floor(question.offset / width) * depth;
  const column = question.offset % width;
  return {
    terms: dot(x, w, depth, (k) => [row + k, k * width + column]),
    bias: bias ? cell(bias, column) : null,
    ...integerParts(question.step, w, Array.from(x.data.subarray(row, row + depth)), (k) => [
      k,
      column,
    ]),
  };
};

/** y = x w + b
 * @type {import('./kit/partials.js').Rule[]} */
export const partials = [
  (question) => {
    const w = operand(question, 1);
    const [depth, n] = w.shape;
    const [i, k] = [Math.floor(question.offset / depth), question.offset % depth];
    return each(n, (j) => times(i * n + j, 'w', cell(w, k * n + j)));
  },
  (question) => {
    const x = operand(question, 0);
    const [depth, n] = operand(question, 1).shape;
    const [k, j] = [Math.floor(question.offset / n), question.offset % n];
    return each(x.data.length / depth, (i) => times(i * n + j, 'x', cell(x, i * depth + k)));
  },
  (question) => repeated(question, operand(question, 2).data.length),
];

/** @type {import('./kit/code.js').Code} */
export const code = {
  numpy: ({ inputs: [x, w, b] }) => `${x} @ ${w}${b ? ` + ${b}` : ''}`,
  pytorch: ({ inputs: [x, w, b] }) => `${x} @ ${w}${b ? ` + ${b}` : ''}`,
  javascript: ({ inputs: [x, w, b] }) => `gf.linear(${x}, ${w}${b ? `, ${b}` : ''})`,
};

/** @type {import('./kit/page.js').Derivation} */
export const derivation = (notation) => {
  const { mathml, nothing, operand, plus } = notation;
  return product(notation, (step) => {
    const bias = step.inputs[2] ? mathml`${plus}${operand(step, 2)}` : nothing;
    return mathml`${operand(step, 0)}${operand(step, 1)}${bias}`;
  });
};

/** @type {import('./kit/page.js').Drawing} */
export const drawing = {
  crosses: true,
  motion: 'product',
  intro: () => 'introSum',
  moments: ([x, , bias]) => widthOf(x) + (bias ? 1 : 0),
};

/** y = x w + b  =>  dw_ij = sum_r x_ri dy_rj, db_j = sum_r dy_rj
 * @type {import('./kit/uses.js').Uses} */
export const uses = (node, k, { i, j }) => {
  const width = widthOf(node);
  const x = /** @type {Tensor} */ (node.inputs[0]);
  return rows(node, (row) => ({
    gradient: row * width + j,
    ...(k === 1 && { x, offset: row * widthOf(x) + i }),
  }));
};
