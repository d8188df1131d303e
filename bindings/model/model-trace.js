// A trace of a model's run: every step of one sequence, in the shape that traces of examples have.

import { rangeError } from '../base/errors.js';
import { factsOf } from '../tape/tensor.js';
import { checkEdits, Steps, sequenceOf, wholeOf } from '../trace/steps.js';
import { removableOf } from './config/remove.js';

/** @typedef {import('../trace/steps.js').Step} Step */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */
/** @typedef {import('../tape/tape.js').Tape} Tape */
/** @typedef {import('./weights.js').Weights} Weights */

/**
 * @typedef {object} ModelTraceOptions
 * @property {readonly import('./config/config.js').Removal[]} [remove] steps to leave out
 * @property {readonly import('../trace/steps.js').Edit[]} [edits] cells to overwrite, one after the other
 * @property {number} [sequence] which one of the batch is looked at, 0 by default
 * @property {boolean} [gradients] of the parameters, too: true by default
 */

export class ModelTrace extends Steps {
  #weights;

  /** @param {Weights} weights @param {Tape} tape not run yet @param {number} sequence of the batch */
  constructor(weights, tape, sequence) {
    const { nodes } = tape;
    super(tape, (tensor) => sequenceOf(tensor, sequence));
    this.#weights = weights;
    /** What can be left out, and why not the rest. */
    this.removable = removableOf(nodes);
    /* No text prints anything of a run. */
    this.printed = {};
    /** @type {import('../trace/printed.js').Mismatch[]} */
    this.mismatches = [];
    /** @type {import('../trace/printed.js').Aside[]} */
    this.asides = [];
  }

  /** Computes it for the first time, with the edits; tells what part is done.
   * @param {readonly import('../trace/steps.js').Edit[]} edits checked
   * @returns {Generator<number, ModelTrace>} */
  *running(edits) {
    let whole = false;
    try {
      yield* this.computing();
      if (edits.length > 0) this.edits(edits);
      whole = true;
    } finally {
      if (!whole) this.dispose();
    }
    return this;
  }

  /** Overwrites cells, one after the other, as edit() does, but computes what lies downstream of them
   * once, after the last. All are done, or none.
   * @param {readonly import('../trace/steps.js').Edit[]} edits */
  edits(edits) {
    checkEdits(edits);
    for (const { node } of edits) {
      if (this.step(node).kind !== 'parameter') continue;
      throw rangeError('editParameter', { where: 'trace: edit', name: node });
    }
    super.edits(edits);
  }

  /** Parameters are live: the model has them, and there may be many.
   * @protected
   * @param {Tensor} tensor
   * @returns {Step} */
  snapshot(tensor) {
    const { name, kind } = tensor;
    if (kind !== 'parameter') return super.snapshot(tensor);
    const { size, ...seen } = wholeOf(tensor);
    const parameter = this.#weights.parameters.get(name);
    return {
      ...factsOf(tensor),
      ...seen,
      removed: false,
      get data() {
        return parameter.data;
      },
      grad: null,
    };
  }
}
