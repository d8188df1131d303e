// A row of a table for each id.

import { cell, operand, widthOf } from './kit/cells.js';
import { copied } from './kit/slopes.js';

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
  const id = ids.data[Math.floor(question.at / width)];
  return { id, row: cell(table, id * width + (question.at % width)) };
};

/** y[i] = table[ids[i]]
 * @type {import('./kit/slopes.js').Rule[]} */
export const slopes = [
  (question) => {
    const width = widthOf(question.step);
    const row = Math.floor(question.at / width);
    return [...operand(question, 1).data].flatMap((id, i) =>
      id === row ? [copied(i * width + (question.at % width))] : [],
    );
  },
];

/** @type {import('./kit/code.js').Code} */
export const code = {
  numpy: ({ inputs: [table, ids] }) => `${table}[${ids}]`,
  pytorch: ({ inputs: [table, ids] }) => `F.embedding(${ids}, ${table})`,
  javascript: ({ inputs: [table, ids] }) => `gf.embed(${table}, ${ids})`,
};
