// Tests a gradient: moves one cell a little, and computes the target again.

import { checkFinite } from '../base/errors.js';
import { gradientOf, valuesOf } from '../tape/tensor.js';
import { between } from './flow.js';
import { typeError } from './texts.js';

/** @typedef {import('../tape/tape.js').Tape} Tape */
/** @typedef {{ tensor: import('../tape/tensor.js').Tensor, offset: number }} Place */

/**
 * @typedef {object} Nudge
 * @property {number} step by how much the cell moved: epsilon, as float32 has it beside the cell's value
 * @property {number} before the target's value
 * @property {number} after the target's value with the cell moved
 * @property {number} predicted the gradient times the step
 * @property {number} actual after - before
 * @property {number | null} ratio actual / predicted; null where nothing is predicted
 */

/** @param {Place} cell @param {unknown} epsilon */
export function checkNudge({ tensor, offset }, epsilon) {
  if (tensor.kind === 'ids') {
    throw typeError('idsFixed', { where: 'nudge', name: tensor.name });
  }
  checkFinite('nudge: epsilon', epsilon);
  checkFinite(`nudge: ${tensor.name}`, valuesOf(tensor)[offset]);
}

/** Moves a cell, computes what lies between it and the target, and puts everything back. A computed
 * node keeps its other values, as for an edit. The target's gradient has been carried down, the cell and
 * epsilon checked.
 * @param {Tape} tape @param {Place} cell @param {Place} target @param {number} epsilon
 * @returns {Nudge} */
export function nudge(tape, { tensor, offset }, target, epsilon) {
  const value = valuesOf(tensor)[offset];
  const goal = () => valuesOf(target.tensor)[target.offset];
  const before = goal();
  const gradient = gradientOf(tensor)?.[offset] ?? 0;
  const hold = tensor.kind === 'op' && !tensor.frozen;
  if (hold) tape.freeze(tensor);
  const moved = between(tape.nodes, tensor, target.tensor);
  const run = () => {
    for (const node of moved) tape.forward(node, node);
  };
  const data = valuesOf(tensor);
  data[offset] = value + epsilon;
  const step = data[offset] - value;
  run();
  const after = goal();
  valuesOf(tensor)[offset] = value;
  run();
  if (hold) tape.freeze(tensor, false);
  const [predicted, actual] = [gradient * step, after - before];
  return { step, before, after, predicted, actual, ratio: predicted ? actual / predicted : null };
}
