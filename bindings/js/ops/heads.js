// Splitting into heads, and concatenating them.

import { cellIndex } from '../base/values.js';
import { cell, operand } from './kit/cells.js';
import { copied } from './kit/partials.js';

/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** The method of a tape.
 * @satisfies {ThisType<import('../tape/nodes.js').Nodes>} */
export const tape = {
  /** Gives each head its own matrix: x [...,T,H*D] -> [...,H,T,D]
   * @param {Tensor} x @param {number} heads @param {string} name */
  splitHeads(x, heads, name) {
    return this.push('heads', { x }, { split: true, heads }, name, 'splitHeads');
  },

  /** Joins the heads again: x [...,H,T,D] -> [...,T,H*D]
   * @param {Tensor} x @param {string} name */
  concatHeads(x, name) {
    return this.push('heads', { x }, { split: false, heads: 0 }, name, 'concatHeads');
  },
};

/** @type {import('./kit/cells.js').Story} */
export const story = (question) => {
  const x = operand(question, 0);
  const split = question.step.attributes.heads > 0;
  const apart = (split ? question.step : x).shape.slice(-3);
  const [heads, time, width] = apart;
  const size = heads * time * width;
  const batch = question.offset - (question.offset % size);
  const [i, j, d] = cellIndex(split ? apart : [time, heads, width], question.offset - batch);
  /* Apart it is [H,T,D], joined [T,H,D]: i and j change places. */
  const inner = split ? heads : time;
  return { from: cell(x, batch + (j * inner + i) * width + d) };
};

/** y[h,t,d] = x[t, h D + d], or back
 * @type {import('./kit/partials.js').Rule[]} */
export const partials = [
  (question) => {
    const split = question.step.attributes.heads > 0;
    const x = operand(question, 0);
    const [heads, time, width] = (split ? question.step : x).shape.slice(-3);
    const size = heads * time * width;
    const batch = question.offset - (question.offset % size);
    const [rows, columns] = split ? [time, heads] : [heads, time];
    const [i, j, d] = cellIndex([rows, columns, width], question.offset - batch);
    return [copied(batch + (j * rows + i) * width + d)];
  },
];

/** @type {import('./kit/code.js').Code} */
export const code = {
  numpy: ({ step, inputs: [x] }) =>
    step.attributes.heads > 0
      ? `split_heads(${x}, ${step.attributes.heads})`
      : `concat_heads(${x})`,
  pytorch: ({ step, inputs: [x] }) =>
    step.attributes.heads > 0
      ? `${x}.unflatten(-1, (${step.attributes.heads}, -1)).transpose(-3, -2)`
      : `${x}.transpose(-3, -2).flatten(-2)`,
  javascript: ({ step, inputs: [x] }) =>
    step.attributes.heads > 0
      ? `gf.splitHeads(${x}, ${step.attributes.heads})`
      : `gf.concatHeads(${x})`,
  helpers: {
    numpy: {
      split_heads: `def split_heads(x, heads):
    return x.reshape(*x.shape[:-1], heads, -1).swapaxes(-3, -2)`,
      concat_heads: `def concat_heads(x):
    x = x.swapaxes(-3, -2)
    return x.reshape(*x.shape[:-2], -1)`,
    },
  },
};

/** @type {import('./kit/page.js').Derivation} */
export const derivation = ({ operand, cell, value, call }) => ({
  symbols: (step) => call(step.attributes.heads > 0 ? 'split' : 'concat', operand(step, 0)),
  indices: (explanation) => [cell(explanation.from)],
  numbers: (explanation) => [value(explanation.from)],
});

/** @type {import('./kit/page.js').Drawing} */
export const drawing = {
  allHeads: true,
  intro: ({ attributes }) => (attributes.heads > 0 ? 'introHeads' : 'introEach'),
  prose: ({ attributes }) => (attributes.heads > 0 ? 'heads' : undefined),
  label: ({ attributes }) => (attributes.heads > 0 ? 'split' : 'concat'),
};
