// A model: its parameters, and what one does with them.

import {
  checkBoolean,
  checkInteger,
  checkListener,
  checkOptions,
  rangeError,
  typeError,
} from '../base/errors.js';
import { atOnce, checkSignal, forAwait, inTurns } from '../base/turn.js';
import { valuesOf } from '../tape/tensor.js';
import { checkEdits } from '../trace/steps.js';
import { checkConfig, UINT32 } from './config/config.js';
import { checkRemovals } from './config/remove.js';
import { search } from './decode/beam.js';
import { checkGeneration, generate, generateSync } from './decode/generate.js';
import { checkRead, filling, writeModel } from './file.js';
import { INPUTS, Reading } from './inputs/inputs.js';
import { ModelTrace } from './model-trace.js';
import { Run } from './run.js';
import { summary } from './summary.js';
import { Training } from './train.js';
import { Parameters, Weights } from './weights.js';

/** @typedef {import('../runtime/engine.js').Engine} Engine */
/** @typedef {import('./config/config.js').Config} Config */
/** @typedef {import('./config/config.js').Removal} Removal */
/** @typedef {import('./file.js').Read} Read */
/** @typedef {import('./decode/generate.js').GenerateOptions} GenerateOptions */
/** @typedef {import('./inputs/inputs.js').Inputs} Inputs */
/** @typedef {import('./model-trace.js').ModelTraceOptions} ModelTraceOptions */
/** @typedef {import('./train.js').TrainBatch} TrainBatch */
/** @typedef {import('./train.js').TrainOptions} TrainOptions */

/**
 * @typedef {object} RunOptions
 * @property {boolean} [training] with dropout
 * @property {number} [seed] of the dropout, 0 by default
 * @property {number} [step] of the dropout, 1 by default
 * @property {readonly Removal[]} [remove] steps to leave out, besides those that the model does without
 * @property {boolean} [gradients] of the parameters, for backward: true by default
 * @property {boolean | string[]} [steps] which steps can be read afterwards: true, all of them, by default;
 *   or the names of some; or false, the results alone. Without all steps there are no gradients,
 *   attention is one step, and values share memory: the same bits, sooner
 */

const BEAMS = 4;
const TRACE = ['remove', 'edits', 'sequence', 'gradients'];
const RUN = ['training', 'seed', 'step', 'remove', 'gradients', 'steps'];

/** The names of the steps that are to stay; null for all.
 * @param {unknown} steps
 * @returns {string[] | null} */
function checkSteps(steps) {
  if (steps === true) return null;
  if (steps === false) return [];
  if (Array.isArray(steps)) return steps;
  throw typeError('steps', { where: 'forward: steps', given: steps });
}

/** What a model consists of, for functions that are not its methods.
 * @type {(where: string, model: Model) => { weights: Weights, training: Training }} */
export let partsOf;

export class Model {
  #weights;
  /** @type {Parameters | undefined} */
  #parameters;
  #training;

  /** @param {Engine} engine @param {unknown} options
   * @param {(weights: Weights, config: Config) => void} [fill] gives the parameters their values */
  constructor(engine, options, fill = (weights, { seed }) => weights.initialize(seed)) {
    /** All options, with the defaults. */
    this.config = checkConfig(options);
    this.#weights = new Weights(engine, this.config);
    this.#training = new Training(this.#weights, this.config);
    try {
      fill(this.#weights, this.config);
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** A model that was read.
   * @param {Engine} engine @param {Read} read */
  static from(engine, read) {
    const { config, step, tensors } = checkRead(read);
    const model = new Model(engine, config, (weights) => {
      atOnce(filling(weights, tensors));
    });
    model.#training.step = step;
    return model;
  }

  /** The same piece by piece, with turns for everything else; undefined once the signal came.
   * @param {Engine} engine @param {Read} read
   * @param {{ signal?: AbortSignal, onProgress?: (part: number) => void }} [listener] part: 0 to 1
   * @returns {Promise<Model | undefined>} */
  static async fromInTurns(engine, read, { signal, onProgress } = {}) {
    const { config, step, tensors } = checkRead(read);
    const all = tensors.reduce((sum, { size }) => sum + size, 0);
    const model = new Model(engine, config, () => {});
    model.#training.step = step;
    const work = filling(model.#weights, tensors);
    let whole;
    try {
      whole = await inTurns(work, signal, (done) => onProgress?.(done / all));
    } finally {
      if (!whole) model.dispose();
    }
    return whole && model;
  }

  static {
    partsOf = (where, model) => {
      if (!(#weights in Object(model))) throw typeError('model', { where, given: model });
      return { weights: model.#weights, training: model.#training };
    };
  }

  /** How many numbers are learned. */
  get size() {
    return this.#weights.size;
  }

  /** What is learned, by name: { shape, data, grad }, live. The list itself is a copy.
   * @returns {ReadonlyMap<string, import('./weights.js').Parameter>} */
  get parameters() {
    this.#parameters ??= new Parameters(this.#weights.parameters);
    return this.#parameters;
  }

  /** Training steps taken so far. */
  get step() {
    return this.#training.step;
  }

  /** Runs the model, and gives all its steps.
   * @param {Inputs & RunOptions} inputs */
  forward(inputs) {
    checkOptions('forward', inputs, [...INPUTS, ...RUN]);
    const run = this.#ready(new Reading('forward', this.config, inputs), inputs);
    try {
      run.forward();
    } catch (error) {
      run.dispose();
      throw error;
    }
    return run;
  }

  /** Runs the model on one sequence, or on a batch of which it shows one, and takes every step down, with
   * the probabilities behind the logits.
   * @param {Inputs} inputs @param {ModelTraceOptions} [options] */
  trace(inputs, options = {}) {
    return atOnce(this.#tracing('trace', inputs, options));
  }

  /** The same step by step, with turns for everything else; undefined once the signal came.
   * @param {Inputs} inputs
   * @param {ModelTraceOptions & { signal?: AbortSignal, onProgress?: (part: number) => void }} [options]
   *   part: 0 to 1 */
  async traceInTurns(inputs, options = {}) {
    const where = 'traceInTurns';
    checkOptions(where, options, [...TRACE, 'signal', 'onProgress']);
    const { signal, onProgress, ...rest } = options;
    checkSignal(`${where}: signal`, signal);
    checkListener(`${where}: onProgress`, onProgress);
    return inTurns(this.#tracing(where, inputs, rest), signal, onProgress);
  }

  /** @param {string} where @param {Inputs} inputs @param {ModelTraceOptions} options */
  #tracing(where, inputs, options) {
    checkOptions(where, inputs, INPUTS);
    checkOptions(where, options, TRACE);
    const { remove = [], edits: given = [], sequence = 0, gradients = true } = options;
    const edits = checkEdits(given);
    const reading = new Reading(where, this.config, inputs);
    const { size, loss } = reading.batch();
    checkInteger(`${where}: sequence`, sequence, 0, size - 1);
    if (loss && size > 1) {
      throw rangeError('oneSequence', { where: `${where}: labels`, n: size });
    }
    /** @param {import('../tape/tape.js').Tape} tape */
    const more = (tape) => {
      const logits = tape.nodes.find(({ name }) => name === 'logits');
      if (logits) tape.softmax(logits, 'probabilities');
    };
    const { tape } = this.#ready(reading, { remove, gradients }, more);
    return new ModelTrace(this.#weights, tape, sequence).running(edits);
  }

  /** A run whose leaves are written, and which was not run yet.
   * @param {Reading} reading @param {RunOptions} options @param {(tape: import('../tape/tape.js').Tape) => void} [more]
   * @returns {Run} */
  #ready(reading, options, more) {
    const { training = false, seed = 0, step = 1, remove = [], steps = true } = options;
    const { gradients = steps === true } = options;
    const { where } = reading;
    const keep = checkSteps(steps);
    checkBoolean(`${where}: training`, training);
    checkBoolean(`${where}: gradients`, gradients);
    if (gradients && keep) {
      throw typeError('gradientsNeedSteps', { where });
    }
    checkInteger(`${where}: seed`, seed, 0, UINT32);
    checkInteger(`${where}: step`, step, 0, UINT32);
    checkRemovals(`${where}: remove`, remove);
    const changes = { remove: [...this.config.remove, ...remove] };
    const tape = this.#weights.tape(
      { ...reading.batch(), training, fused: keep !== null },
      { changes, more, ...(keep ? { keep: () => keep } : { gradients }) },
    );
    try {
      reading.write(tape);
      if (training && this.config.dropout > 0) {
        valuesOf(tape.find('dropout.key')).set([seed, step]);
      }
    } catch (error) {
      tape.dispose();
      throw error;
    }
    return new Run(tape);
  }

  /** Trains step by step: `for await (const { loss } of model.train(batches, options))`. Goes on where the
   * last training ended. After the signal the loop ends, and the model is as the last step left it.
   * @param {Iterable<TrainBatch> | AsyncIterable<TrainBatch>} batches @param {TrainOptions} [options] */
  train(batches, options) {
    return forAwait('train', this.#training.run(batches, options));
  }

  /** Writes token by token: `for await (const token of model.generate(source, options))`. After the
   * signal the loop ends. A beam search gives its tokens when it has come to its end.
   * @param {ArrayLike<number>} input a transformer's source, or a gpt's prompt
   * @param {GenerateOptions} [options] */
  generate(input, options = {}) {
    const generation = checkGeneration('generate', this.config, input, options);
    return forAwait('generate', generate(this.#weights, this.config, generation));
  }

  /** The same tokens, at once.
   * @param {ArrayLike<number>} input @param {GenerateOptions} [options] */
  generateSync(input, options = {}) {
    const generation = checkGeneration('generateSync', this.config, input, options);
    return generateSync(this.#weights, this.config, generation);
  }

  /** What a beam search finds: all its hypotheses, best first.
   * @param {ArrayLike<number>} input @param {GenerateOptions} [options] beams: 4 by default */
  async search(input, options = {}) {
    const generation = checkGeneration('search', this.config, input, options, BEAMS);
    const work = search(this.#weights, this.config, generation);
    return (await inTurns(work, generation.signal)) ?? [];
  }

  /** The same, at once.
   * @param {ArrayLike<number>} input @param {GenerateOptions} [options] */
  searchSync(input, options = {}) {
    const generation = checkGeneration('searchSync', this.config, input, options, BEAMS);
    return atOnce(search(this.#weights, this.config, generation));
  }

  /** All steps of a run, with the parameters and the multiply-adds of each.
   * @param {import('./summary.js').Lengths} [lengths] */
  summary(lengths) {
    this.#weights.check();
    return summary(this.#weights.engine, this.config, lengths);
  }

  /** The model as a safetensors file.
   * @param {{ training?: boolean }} [options] with all that it takes to go on training
   * @returns {import('../formats/safetensors.js').Bytes} */
  save(options = {}) {
    checkOptions('save', options, ['training']);
    const { training = false } = options;
    checkBoolean('save: training', training);
    return writeModel(this.#weights, this.config, this.step, training);
  }

  /** Gives the memory back. The model and its runs are of no use afterwards. */
  dispose() {
    this.#weights.dispose();
  }

  [Symbol.dispose]() {
    this.dispose();
  }
}
