// Embedding: a row of a table for each id.

import { cell, operand, widthOf } from './kit/cells.js';
import { copied } from './kit/partials.js';
import { rows } from './kit/uses.js';

/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** The method of a tape.
 * @satisfies {ThisType<import('../tape/nodes.js').Nodes>} */
export const tape = {
  /** y[i] = table[ids[i]]: table [V,C], ids [...] -> [...,C]
   * @param {Tensor} table @param {Tensor} ids @param {string} name */
  embed(table, ids, name) {
    return this.push('embed', { table, ids }, {}, name);
  },
};

/** @type {import('./kit/cells.js').Story} */
export const story = (question) => {
  const [table, ids] = [operand(question, 0), operand(question, 1)];
  const width = table.shape[1];
  const id = ids.data[Math.floor(question.offset / width)];
  return { id, row: cell(table, id * width + (question.offset % width)) };
};

/** y[i] = table[ids[i]]
 * @type {import('./kit/partials.js').Rule[]} */
export const partials = [
  (question) => {
    const width = widthOf(question.step);
    const row = Math.floor(question.offset / width);
    return [...operand(question, 1).data].flatMap((id, i) =>
      id === row ? [copied(i * width + (question.offset % width))] : [],
    );
  },
];

/** @type {import('./kit/code.js').Code} */
export const code = {
  numpy: ({ inputs: [table, ids] }) => `${table}[${ids}]`,
  pytorch: ({ inputs: [table, ids] }) => `F.embedding(${ids}, ${table})`,
  javascript: ({ inputs: [table, ids] }) => `gf.embed(${table}, ${ids})`,
};

/** @type {import('./kit/page.js').Derivation} */
export const derivation = ({ mathml, operand, cell, value }) => ({
  symbols: (step) =>
    mathml`${operand(step, 0)}<mo stretchy="false">[</mo>${operand(step, 1)}<mo stretchy="false">]</mo>`,
  indices: (explanation) => [cell(explanation.row)],
  numbers: (explanation) => [value(explanation.row)],
});

/** @type {import('./kit/page.js').Caption} */
export const caption =
  ({ number }) =>
  ({ id, row }) => ['embed', { id: String(id + 1), value: number(/** @type {any} */ (row)) }];

/** @type {import('./kit/page.js').Drawing} */
export const drawing = { looksUp: true };

/** y_r = e_id(r)  =>  de_ij = sum over the r with id i of dy_rj
 * @type {import('./kit/uses.js').Uses} */
export const uses = (node, _, { i, j }) => {
  const { data } = /** @type {Tensor} */ (node.inputs[1]);
  return rows(node, (row) => ({ gradient: row * widthOf(node) + j })).filter(
    (_, row) => data[row] === i,
  );
};

/** @type {import('./kit/page.js').Lines} */
export const lines =
  ({ valued }) =>
  ({ id, row }) => [`row ${id} of the table: ${valued(row)}`];
