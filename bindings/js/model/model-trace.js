// A trace of a model's run: every step of one sequence, in the shape that traces of examples have.

import { checkInteger, checkListener, checkOptions } from '../base/errors.js';
import { asPart, atOnce, checkSignal, inTurns } from '../base/turn.js';
import { inPlaceOfOthers, mayBePutAside } from '../tape/recent.js';
import { factsOf } from '../tape/tensor.js';
import { checkEdits, sequenceOf, wholeOf } from '../trace/steps.js';
import { removableOf } from './config/remove.js';
import { checkInputs, Reading } from './inputs/inputs.js';
import { weightsOf } from './model.js';
import { prepared } from './ready.js';
import { SlicedSteps } from './sliced-steps.js';
import { inner } from './slices.js';
import { rangeError } from './texts.js';

/** @typedef {import('../trace/steps.js').Step} Step */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */
/** @typedef {import('../tape/tape.js').Tape} Tape */
/** @typedef {import('./inputs/inputs.js').Inputs} Inputs */
/** @typedef {import('./model.js').Model} Model */
/** @typedef {import('./weights.js').Weights} Weights */

/**
 * @typedef {object} ModelTraceOptions
 * @property {readonly import('./config/config.js').Removal[]} [remove] steps to leave out
 * @property {readonly import('../trace/steps.js').Edit[]} [edits] cells to overwrite, one after the other
 * @property {number} [sequence] which one of the batch is looked at, 0 by default
 * @property {boolean} [gradients] of the parameters, too: true by default
 */

const TRACE = ['remove', 'edits', 'sequence', 'gradients'];

export class ModelTrace extends SlicedSteps {
  #weights;

  /** @param {Weights} weights @param {Tape} tape not run yet @param {number} sequence of the batch */
  constructor(weights, tape, sequence) {
    const { nodes } = tape;
    super(tape, (tensor) => sequenceOf(tensor, sequence));
    this.#weights = weights;
    /** Which steps can be removed, and why not the others. */
    this.removable = removableOf(nodes);
    /** Empty, as are mismatches and asides: no text prints anything of a run. */
    this.printed = {};
    /** @type {import('../trace/printed.js').Mismatch[]} */
    this.mismatches = [];
    /** @type {import('../trace/printed.js').Aside[]} */
    this.asides = [];
  }

  /** Computes it for the first time, with the edits; tells what part is done: at first none, as to build it took a while.
   * @param {readonly import('../trace/steps.js').Edit[]} edits checked
   * @returns {Generator<number, ModelTrace>} */
  *running(edits) {
    let whole = false;
    try {
      yield 0;
      const half = edits.length > 0 ? 0.5 : 1;
      yield* asPart(this.computing(), 0, half);
      if (edits.length > 0) {
        yield* asPart(this.editing(edits), half, half);
        yield 1;
      }
      whole = true;
    } finally {
      if (!whole) this.dispose();
    }
    return this;
  }

  /** Refuses edits of parameters.
   * @protected
   * @override
   * @param {readonly import('../trace/steps.js').Edit[]} edits
   * @returns {Generator<number, void>} */
  *editing(edits) {
    checkEdits(edits);
    this.#weights.checkExact('traceModel: edit');
    for (const { node } of edits) {
      const { kind, stored } = this.step(node);
      if (kind !== 'parameter') continue;
      const detail = stored ? 'editStored' : 'editParameter';
      throw rangeError(detail, { where: 'traceModel: edit', name: node });
    }
    yield* super.editing(edits);
  }

  /** Gradients as `gradient` computes them, with turns for everything else.
   * @param {string} node @param {number[]} index @param {{ signal?: AbortSignal }} [options]
   * @example
   * import { traceModel } from 'glassformer';
   *
   * const model = gf.model({ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 1, maxLength: 16 });
   * const trace = traceModel(model, { target: [1, 2, 3] });
   * await trace.gradientInTurns('logits', [2, 5]);
   * trace.step('logits').grad[2 * 8 + 5]; // = 1
   * trace.dispose();
   * model.dispose(); */
  async gradientInTurns(node, index, options = {}) {
    const where = 'gradientInTurns';
    checkOptions(where, options, ['signal']);
    checkSignal(`${where}: signal`, options.signal);
    return inTurns(this.deriving(node, index), options.signal);
  }

  /** Parameters are live: the model has them, and there may be many.
   * @protected
   * @param {Tensor} tensor
   * @returns {Step} */
  snapshot(tensor) {
    const { name, kind, stored } = tensor;
    if (kind !== 'parameter' || stored) return super.snapshot(tensor);
    const { size, ...part } = wholeOf(tensor);
    const parameter = this.#weights.parameters.get(name);
    return {
      ...factsOf(tensor),
      ...part,
      removed: false,
      get data() {
        return parameter.data;
      },
      grad: null,
    };
  }
}

/** @param {string} where @param {Model} model @param {Inputs} inputs @param {ModelTraceOptions} options
 * @returns {Generator<number, ModelTrace>} */
function* tracing(where, model, inputs, options) {
  const weights = weightsOf(where, model);
  const { config } = model;
  checkInputs(where, config, inputs);
  checkOptions(where, options, TRACE);
  const { remove = [], edits = [], sequence = 0, gradients = true } = options;
  if (remove !== null && remove.length > 0) weights.checkExact(`${where}: remove`);
  const checked = checkEdits(edits);
  const reading = new Reading(where, config, inputs);
  const { size, loss } = reading.batch();
  checkInteger(`${where}: sequence`, sequence, 0, size - 1);
  if (loss && size > 1) {
    throw rangeError('oneSequence', { where: `${where}: labels`, n: size });
  }
  /** @param {Tape} tape */
  const more = (tape) => {
    const logits = tape.nodes.find(({ name }) => name === 'logits');
    if (logits) tape.softmax(logits, 'probabilities');
  };
  const { tape } = inPlaceOfOthers(weights.engine.heap, () =>
    prepared(weights, config, reading, { remove, gradients }, more),
  );
  const trace = yield* new ModelTrace(weights, tape, sequence).running(checked);
  mayBePutAside(inner(tape).block);
  return trace;
}

/** Runs a model on one sequence, or on a batch of which it shows one, and records every step, with the
 * probabilities behind the logits.
 * @param {Model} model @param {Inputs} inputs @param {ModelTraceOptions} [options]
 * @example
 * import { traceModel } from 'glassformer';
 *
 * const model = gf.model({ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 1, maxLength: 16 });
 * const trace = traceModel(model, { target: [1, 2, 3] });
 * trace.step('decoder.layers.0.self_attn.weights').shape; // = [2, 3, 3]
 * trace.dispose();
 * model.dispose(); */
export const traceModel = (model, inputs, options = {}) =>
  atOnce(tracing('traceModel', model, inputs, options));

/** The same step by step, with turns for everything else.
 * @param {Model} model @param {Inputs} inputs
 * @param {ModelTraceOptions & { signal?: AbortSignal, onProgress?: (part: number) => void }} [options]
 *   part: 0 to 1
 * @returns {Promise<ModelTrace>}
 * @example
 * import { traceModelInTurns } from 'glassformer';
 *
 * const model = gf.model({ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 1, maxLength: 16 });
 * let done = 0;
 * const trace = await traceModelInTurns(model, { target: [1, 2, 3] }, { onProgress: (part) => { done = part; } });
 * done; // = 1
 * trace.dispose();
 * model.dispose(); */
export async function traceModelInTurns(model, inputs, options = {}) {
  const where = 'traceModelInTurns';
  checkOptions(where, options, [...TRACE, 'signal', 'onProgress']);
  const { signal, onProgress, ...rest } = options;
  checkSignal(`${where}: signal`, signal);
  checkListener(`${where}: onProgress`, onProgress);
  return inTurns(tracing(where, model, inputs, rest), signal, onProgress);
}
