// Helpers for the uses of a parameter.

import { normalised } from './cells.js';

/** @typedef {import('../../tape/tensor.js').Tensor} Tensor */

/** One use: the flat place of the step's gradient, and of the factor in the operand that has it.
 * @typedef {{ gradient: number, x?: Tensor, offset?: number, factor?: number }} Use */

/** The uses of cell [i, j] of the operand k, or [j] of a vector, in a step.
 * @typedef {(node: Tensor, k: number, place: { i: number, j: number }) => Use[]} Uses */

/** One per row of a step.
 * @param {Tensor} node @param {(row: number) => Use} use */
export const rows = ({ size, shape }, use) =>
  Array.from({ length: size / shape[shape.length - 1] }, (_, row) => use(row));

/** Of a norm: y = n gain + bias  =>  dgain_j = sum_r n_rj dy_rj, dbias_j = sum_r dy_rj
 * @param {boolean} centred whether the mean is taken off
 * @returns {Uses} */
export const usesOfNorm =
  (centred) =>
  (node, k, { j }) => {
    const width = node.shape[node.shape.length - 1];
    const x = /** @type {Tensor} */ (node.inputs[0]);
    const factorIn = (/** @type {number} */ row) => {
      const numbers = x.data.subarray(row * width, (row + 1) * width);
      return normalised(numbers, node.attributes.epsilon, centred).z[j];
    };
    return rows(node, (row) => ({
      gradient: row * width + j,
      ...(k === 1 && { factor: factorIn(row) }),
    }));
  };
