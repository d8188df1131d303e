// How the gradient of one weight arose: a product for each place of the batch where the weight was used.

import { cellIndex } from '../base/values.js';

/** @typedef {import('../tape/tensor.js').Tensor} Tensor */
/** @typedef {import('./run.js').Run} Run */
/** @typedef {{ node: string, index: number[], value: number }} Cell */

/**
 * @typedef {object} GradientTerm
 * @property {number} run which of the step's runs it belongs to
 * @property {number} factor what the weight was multiplied by there; 1 for what is only added
 * @property {Cell | null} from the cell that has this number; null if none has: 1, or a normalised x
 * @property {Cell} slope the gradient of the step that used the weight
 * @property {number} product of both
 */

/** One use: the flat place of the slope, and of the factor in the operand that has it.
 * @typedef {{ slope: number, x?: Tensor, at?: number, factor?: number }} Use */

/** @param {Tensor} node @param {number} at
 * @returns {Cell} */
const cell = ({ name, shape, data }, at) => ({
  node: name,
  index: cellIndex(shape, at),
  value: data[at],
});

/** One per row of a step.
 * @param {Tensor} node @param {(row: number) => Use} use */
const rows = ({ size, shape }, use) =>
  Array.from({ length: size / shape[shape.length - 1] }, (_, row) => use(row));

/** (x - mean) / deviation, or x / root mean square, of one cell.
 * @param {Tensor} node @param {Tensor} x @param {number} row @param {number} column */
function normalised({ op, attributes }, x, row, column) {
  const width = x.shape[x.shape.length - 1];
  const line = Array.from(x.data.subarray(row * width, (row + 1) * width));
  const mean = op === 'layer_norm' ? line.reduce((a, b) => a + b, 0) / width : 0;
  const variance = line.reduce((sum, value) => sum + (value - mean) ** 2, 0) / width;
  return (line[column] - mean) / Math.sqrt(variance + attributes.epsilon);
}

/** Uses of cell [i, j] of the operand k, or [j] of a vector, by op.
 * @type {Record<string, (node: Tensor, k: number, place: { i: number, j: number }) => Use[]>} */
const USES = {
  /* y = x w + b  =>  dw_ij = sum_r x_ri dy_rj, db_j = sum_r dy_rj */
  linear(node, k, { i, j }) {
    const width = node.shape[node.shape.length - 1];
    const x = /** @type {Tensor} */ (node.inputs[0]);
    const depth = x.shape[x.shape.length - 1];
    return rows(node, (row) => ({
      slope: row * width + j,
      ...(k === 1 && { x, at: row * depth + i }),
    }));
  },

  /* y = x e^T  =>  de_ij = sum_r x_rj dy_ri */
  matmul(node, _, { i, j }) {
    const width = node.shape[node.shape.length - 1];
    const x = /** @type {Tensor} */ (node.inputs[0]);
    const depth = x.shape[x.shape.length - 1];
    return rows(node, (row) => ({ slope: row * width + i, x, at: row * depth + j }));
  },

  /* y_r = e_id(r)  =>  de_ij = sum over the r with id i of dy_rj */
  embed(node, _, { i, j }) {
    const width = node.shape[node.shape.length - 1];
    const { data } = /** @type {Tensor} */ (node.inputs[1]);
    return rows(node, (row) => ({ slope: row * width + j })).filter((_, row) => data[row] === i);
  },

  /* y = x + b, b repeated  =>  db_j = sum_r dy_rj */
  add(node, _, { j }) {
    const width = node.shape[node.shape.length - 1];
    return rows(node, (row) => ({ slope: row * width + j }));
  },

  /* y = n gain + bias  =>  dgain_j = sum_r n_rj dy_rj, dbias_j = sum_r dy_rj */
  layer_norm(node, k, { j }) {
    const width = node.shape[node.shape.length - 1];
    const x = /** @type {Tensor} */ (node.inputs[0]);
    return rows(node, (row) => ({
      slope: row * width + j,
      ...(k === 1 && { factor: normalised(node, x, row, j) }),
    }));
  },
};
USES.rms_norm = USES.layer_norm;

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
      return (USES[node.op]?.(node, k, place) ?? []).map(({ slope, x, at, factor = 1 }) => {
        const from = x && at !== undefined ? cell(x, at) : null;
        const by = from?.value ?? factor;
        const value = /** @type {Float32Array} */ (grad)[slope];
        const { name: user, shape } = node;
        return {
          run,
          factor: by,
          from,
          slope: { node: user, index: cellIndex(shape, slope), value },
          product: by * value,
        };
      });
    }),
  );
}
