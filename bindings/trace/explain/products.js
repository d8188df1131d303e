// Cells that are sums of products.

import { cell, dot, operand, widthOf } from './parts.js';

/** @type {import('./parts.js').Stories} */
export const products = {
  linear(question) {
    const [x, w] = [operand(question, 0), operand(question, 1)];
    const bias = question.operands[2];
    const [depth, width] = w.shape;
    const row = Math.floor(question.at / width) * depth;
    const column = question.at % width;
    return {
      terms: dot(x, w, depth, (k) => [row + k, k * width + column]),
      bias: bias ? cell(bias, column) : null,
    };
  },

  matmul(question) {
    const [a, b] = [operand(question, 0), operand(question, 1)];
    const [height, width] = question.step.shape.slice(-2);
    const depth = widthOf(a);
    const row = Math.floor(question.at / width);
    const column = question.at % width;
    /* b may have fewer matrices: each then serves several of a. */
    const shared = (question.step.data.length * depth) / (height * b.data.length);
    const matrix = Math.floor(Math.floor(row / height) / shared) * depth * width;
    const transposed = question.step.attributes.transposed === 1;
    return {
      terms: dot(a, b, depth, (k) => [
        row * depth + k,
        matrix + (transposed ? column * depth + k : k * width + column),
      ]),
      bias: null,
    };
  },
};
