// The same numbers in another shape.

import { MAX_RANK } from '../../generated/layout.js';
import { failure } from '../base/errors.js';
import { checkShape, sizeOf } from '../base/values.js';
import { cell, operand } from './kit/cells.js';
import { copied } from './kit/partials.js';

/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** Whether so many numbers have that shape, in which one size may be -1.
 * @param {number} size @param {number[]} sizes */
function fits(size, sizes) {
  const closed = sizes.filter((d) => d !== -1);
  const isOpen = closed.length < sizes.length;
  if (sizes.length - closed.length > 1 || sizes.length > MAX_RANK) return false;
  if (!sizes.length || closed.some((d) => d < 1)) return false;
  return isOpen ? size % sizeOf(closed) === 0 : size === sizeOf(closed);
}

/** The method of a tape.
 * @satisfies {ThisType<import('../tape/nodes.js').Nodes>} */
export const tape = {
  /** The same numbers in another shape.
   * @param {Tensor} x @param {number[]} shape one size may be -1: as large as the others leave it
   * @param {string} name */
  reshape(x, shape, name) {
    const sizes = checkShape('reshape: shape', shape);
    this.block.engine.name('reshape: name', name);
    /* push() refuses what is no tensor. */
    if (x?.shape && !fits(x.size, sizes)) {
      const shapes = `[${x.shape}] x [${sizes}]`;
      throw failure('GF_ESHAPE', 'unfit', { where: `${name}: reshape`, shapes, node: name });
    }
    return this.push('reshape', { x }, { shape: sizes }, name);
  },
};

/** @type {import('./kit/cells.js').Story} */
export const story = (question) => ({ from: cell(operand(question, 0), question.offset) });

/** @type {import('./kit/partials.js').Rule[]} */
export const partials = [({ offset }) => [copied(offset)]];
