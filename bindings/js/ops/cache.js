// The cache of keys and values.

import { cell, operand, widthOf } from './kit/cells.js';

/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** The method of a tape.
 * @satisfies {ThisType<import('../tape/nodes.js').Nodes>} */
export const tape = {
  /** Writes keys or values behind those of earlier runs: x [B,H,T,D] -> [B,H,capacity,D]
   * @param {Tensor} x @param {Tensor} at ids [1]: how many tokens are there
   * @param {number} capacity @param {string} name */
  cache(x, at, capacity, name) {
    return this.push('cache', { x, at }, { capacity }, name);
  },
};

/** @type {import('./kit/cells.js').Story} */
export const story = (question) => {
  /* What an earlier run left there came from cells that are no more. */
  const x = operand(question, 0);
  const [time, width] = [x.shape.at(-2) ?? 1, widthOf(x)];
  const capacity = question.step.shape.at(-2) ?? 1;
  const row = Math.floor(question.offset / width);
  const place = (row % capacity) - operand(question, 1).data[0];
  if (place < 0 || place >= time) return {};
  const offset = (Math.floor(row / capacity) * time + place) * width + (question.offset % width);
  return { from: cell(x, offset) };
};
