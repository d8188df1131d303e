// How the trace of a large model leaves the thread free within a step and between those of a gradient.

import { backwardInSlices, inner, run } from './slices.js';

/** @typedef {import('../tape/tape.js').Tape} Tape */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** Computes one node. Pauses within it where it is large, and the core knows parts.
 * @param {Tape} tape @param {Tensor} node @param {number} done which part of all is, when it begins
 * @returns {Generator<number, void>} */
export const nodeInParts = (tape, { id }, done) => run(tape, 'gf_forward', id, id, done);

/** Carries a gradient down as `tape.backward` does, slice by slice. Pauses between them.
 * @param {Tape} tape that was computed @param {string} name of a node @param {Float32Array} gradient of its shape
 * @returns {Generator<number, void>} */
export function* gradientInSlices(tape, name, gradient) {
  inner(tape).block.lender?.clear();
  yield* backwardInSlices(tape, name, gradient);
}
