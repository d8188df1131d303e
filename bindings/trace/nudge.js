// The gradient put to the test: one cell is moved a little, and the target computed again.

import { checkFinite, typeError } from '../base/errors.js';

/** @typedef {import('../tape/tape.js').Tape} Tape */
/** @typedef {{ tensor: import('../tape/tensor.js').Tensor, at: number }} Place */

/**
 * @typedef {object} Nudge
 * @property {number} step by how much the cell moved: epsilon, as float32 has it beside the cell's value
 * @property {number} before the target's value
 * @property {number} after
 * @property {number} predicted the gradient times the step
 * @property {number} actual after - before
 * @property {number | null} ratio actual / predicted; null where nothing is predicted
 */

/** @param {Place} cell @param {unknown} epsilon */
export function checkNudge({ tensor, at }, epsilon) {
  if (tensor.kind === 'ids') {
    throw typeError('idsFixed', { where: 'nudge', name: tensor.name });
  }
  checkFinite('nudge: epsilon', epsilon);
  checkFinite(`nudge: ${tensor.name}`, tensor.data[at]);
}

/** Moves a cell, computes what lies between it and the target, and puts everything back. A computed
 * node keeps its other values, as for an edit. The target's gradient has been carried down, the cell and
 * epsilon checked.
 * @param {Pick<Tape, 'forward' | 'freeze'>} runner @param {Place} cell @param {Place} target
 * @param {number} epsilon
 * @returns {Nudge} */
export function nudge(runner, cell, target, epsilon) {
  const { tensor, at } = cell;
  const value = tensor.data[at];
  const gradient = tensor.grad?.[at] ?? 0;
  const { frozen } = tensor;
  const hold = tensor.kind === 'op' && !frozen;
  const before = target.tensor.data[target.at];
  if (hold) runner.freeze(tensor);
  tensor.data[at] = value + epsilon;
  const step = tensor.data[at] - value;
  /* Where the cell comes after the target, nothing lies between. */
  const run = () => tensor.id <= target.tensor.id && runner.forward(tensor, target.tensor);
  run();
  const after = target.tensor.data[target.at];
  tensor.data[at] = value;
  run();
  if (hold) runner.freeze(tensor, false);
  const [predicted, actual] = [gradient * step, after - before];
  return { step, before, after, predicted, actual, ratio: predicted ? actual / predicted : null };
}
