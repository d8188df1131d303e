// Throws if a state names cells that do not exist.
import { inside } from '../../stage/draw/tensor.js';
import { text } from '../locale/text.js';

/** @typedef {import('../../stage/draw/tensor.js').Cell} Cell */

/**
 * @param {Cell} cell
 * @param {{ shape: readonly number[] }} tensor the one that it names
 */
export function checkCell({ node, index }, { shape }) {
  if (inside(shape, index)) return;
  const cell = `${node}[${index.join(', ')}]`;
  throw new RangeError(text('page/noCell', { cell, shape: shape.join(' × ') }));
}

/**
 * @param {import('./walk.js').State} state
 * @param {Pick<import('../session.js').Trace, 'step'>} trace of what it asks for
 */
export function checkCells({ path, open, target }, trace) {
  for (const cell of [...path, open, target]) if (cell) checkCell(cell, trace.step(cell.node));
  if (target && trace.step(target.node).kind === 'ids') {
    throw new RangeError(text('page/noGradient', { node: target.node }));
  }
}
