// Steps of a large model, whose computation leaves the thread free: within a step, and between those of a gradient.

import { gradientOf } from '../tape/tensor.js';
import { Steps } from '../trace/steps.js';
import { backwardInSlices, inner, run } from './slices.js';

/** @typedef {import('../tape/tape.js').Tape} Tape */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

export class SlicedSteps extends Steps {
  /** Pauses within a step that is large.
   * @protected
   * @override
   * @param {Tape} tape @param {Tensor} tensor @param {number} done
   * @returns {Generator<number, void>} */
  forwarding(tape, { id }, done) {
    return run(tape, 'gf_forward', id, id, done);
  }

  /** In slices of about equal work.
   * @protected
   * @override
   * @param {Tape} tape @param {Tensor} tensor @param {Float32Array} seed
   * @returns {Iterable<unknown>} */
  carrying(tape, tensor, seed) {
    /* What has no gradients is refused there. */
    if (!gradientOf(tensor)) return super.carrying(tape, tensor, seed);
    inner(tape).block.lender.clear();
    return backwardInSlices(tape, tensor.name, seed);
  }
}
