// How the gradient of one weight arose: a product for each place of the batch where the weight was used.

import { uses } from '../../generated/ops.js';
import { cellIndex } from '../base/values.js';

/** @typedef {import('../tape/tensor.js').Tensor} Tensor */
/** @typedef {import('./run.js').Run} Run */
/** @typedef {import('../ops/kit/cells.js').Cell} Cell */

/**
 * @typedef {object} GradientTerm
 * @property {number} run which of the step's runs it belongs to
 * @property {number} factor what the weight was multiplied by there; 1 for what is only added
 * @property {Cell | null} from the cell that has this number; null if none has: 1, or a normalised x
 * @property {Cell} gradient the gradient of the step that used the weight
 * @property {number} product of both
 */

/** @param {Tensor} node @param {number} offset
 * @returns {Cell} */
const cell = ({ name, shape, data }, offset) => ({
  node: name,
  index: cellIndex(shape, offset),
  value: data[offset],
});

/** The terms whose sum, in the core's order and roundings, is the gradient of one cell of a parameter.
 * @param {readonly Run[]} runs after backward @param {string} name @param {readonly number[]} index
 * @returns {GradientTerm[]} */
export function gradientTerms(runs, name, index) {
  const place = { i: index[0], j: index[index.length - 1] };
  return runs.flatMap(({ tape }, run) =>
    tape.nodes.flatMap((node) => {
      const k = node.inputs.findIndex((input) => input?.name === name);
      if (k < 0 || node.bypassed !== null) return [];
      const { grad } = node;
      return (uses[node.op]?.(node, k, place) ?? []).map(({ gradient, x, offset, factor = 1 }) => {
        const from = x && offset !== undefined ? cell(x, offset) : null;
        const by = from?.value ?? factor;
        const value = /** @type {Float32Array} */ (grad)[gradient];
        const { name: user, shape } = node;
        return {
          run,
          factor: by,
          from,
          gradient: { node: user, index: cellIndex(shape, gradient), value },
          product: by * value,
        };
      });
    }),
  );
}
