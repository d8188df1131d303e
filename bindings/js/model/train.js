// Training: forward, backward, clip, one step of Adam; again.

import {
  checkArray,
  checkBoolean,
  checkFinite,
  checkInteger,
  checkOptions,
  checkReal,
  checkWord,
  orNoLimit,
  readOptions,
  TINY,
} from '../base/errors.js';
import { dice } from '../base/random.js';
import { checkSignal, forAwait, inTurns, turns } from '../base/turn.js';
import { floatBits, INT32, UINT32 } from '../base/values.js';
import { SCHEDULES } from '../eager/numbers.js';
import { valuesOf } from '../tape/tensor.js';
import { INPUTS, Reading } from './inputs/inputs.js';
import { IGNORE } from './inputs/sequences.js';
import { weightsOf } from './model.js';
import { backwardInSlices, forwardInSlices } from './slices.js';
import { failure, rangeError, typeError } from './texts.js';

/** @typedef {import('../tape/tape.js').Tape} Tape */
/** @typedef {import('./inputs/inputs.js').Inputs} Inputs */
/** @typedef {import('./config/config.js').Config} Config */
/** @typedef {import('./model.js').Model} Model */

/**
 * @typedef {object} TrainOptions
 * @property {number} [steps] at most so many; by default until the batches end
 * @property {'adam' | 'adamw'} [optimizer] adam by default
 * @property {'noam' | 'inverse-sqrt' | 'cosine' | 'linear' | 'constant'} [schedule] constant by default
 * @property {number} [rate] the peak; noam: a factor, 1 by default; else 0.001
 * @property {number} [warmup] steps; noam: 4000 by default; else 0
 * @property {number} [total] the step at which cosine and linear reach 0; by default the last of `steps`
 * @property {[number, number]} [betas] [0.9, 0.999] by default; noam: [0.9, 0.98]
 * @property {number} [epsilon] 1e-8 by default; noam: 1e-9
 * @property {number} [weightDecay] 0 by default; adamw: 0.01
 * @property {number} [clip] the largest norm of the gradient; by default there is no limit
 * @property {number} [accumulate] batches per step, weighted by their labels; 1 by default, 10,000 at most
 * @property {number} [labelSmoothing] 0 by default
 * @property {number} [dropout] the model's own by default
 * @property {number} [shift] the positions of each batch begin anywhere from 0 to this, those of source and target each
 *   for itself: the model learns longer sequences than it sees (SHAPE, Kiyono et al. 2021). 0 by default
 * @property {number} [seed] of dropout and shift, 0 by default
 * @property {boolean} [restart] forget the optimiser's state and count steps from 1 again
 * @property {readonly TrainBatch[]} [validation] batches that are not trained on
 * @property {number} [validateEvery] after so many steps their loss is computed, 100 by default
 * @property {boolean} [keepBest] whether at the end the model gets back the parameters that had the least validation loss
 * @property {AbortSignal} [signal] ends the loop; a step that it interrupts is not taken
 */

/**
 * @typedef {object} Step
 * @property {number} step 1 at the first
 * @property {number} loss the mean over the labels, before the step
 * @property {number} learningRate
 * @property {number} gradientNorm before clipping
 * @property {number} tokens labels that counted
 * @property {number} tokensPerSecond of them
 * @property {number} [validationLoss] after the step, where it was computed
 */

/** @typedef {Inputs & { labels: import('../base/values.js').Nested<number> }} TrainBatch */

const OPTIMIZERS = ['adam', 'adamw'];
/** Sinusoids are right to 1e-6 up to 2^20. */
const MAX_SHIFT = 2 ** 19;

/** Tapes that are kept for the next batch of their shape; lengths are rounded up to share them. */
const MAX_TAPES = 8;
const ROUND_TO = 4;
/** The batches of one step are held in memory. */
const MAX_ACCUMULATED = 10_000;
/** Steps between two looks at the validation loss. */
const VALIDATE_EVERY = 100;
/** PyTorch's clip_grad_norm_ adds it to the norm. */
const CLIP_EPSILON = 1e-6;

/** @typedef {ReturnType<typeof checkTraining>} Checked */

/** @param {string} where @param {unknown} betas */
function checkBetas(where, betas) {
  if (!Array.isArray(betas) || betas.length !== 2) {
    throw typeError('twoNumbers', { where, given: betas });
  }
  for (const [i, beta] of betas.entries()) checkReal(`${where}[${i}]`, beta, 0, 1, true);
}

/** @type {Record<string, import('../base/errors.js').Rule>} */
const OPTIONS = {
  steps: [orNoLimit(checkInteger), 0, INT32],
  optimizer: [checkWord, OPTIMIZERS],
  schedule: [checkWord, SCHEDULES],
  rate: [checkFinite],
  warmup: [checkInteger, 0, INT32],
  total: [checkInteger, 1, INT32],
  betas: [checkBetas],
  epsilon: [checkReal, 0, 1],
  weightDecay: [checkReal, 0, 1],
  clip: [orNoLimit(checkReal), TINY, Number.MAX_VALUE],
  accumulate: [checkInteger, 1, MAX_ACCUMULATED],
  labelSmoothing: [checkReal, 0, 1],
  dropout: [checkReal, 0, 1, true],
  shift: [checkInteger, 0, MAX_SHIFT],
  seed: [checkInteger, 0, UINT32],
  restart: [checkBoolean],
  validation: [checkArray],
  validateEvery: [checkInteger, 1, INT32],
  keepBest: [checkBoolean],
  signal: [checkSignal],
};

/** @param {TrainOptions} options @param {Config} config */
function checkTraining(options, config) {
  const read = readOptions('train', options, OPTIONS);
  const { optimizer = 'adam', schedule = 'constant' } = read;
  const noam = schedule === 'noam';
  /** @type {Required<Omit<TrainOptions, 'signal' | 'total'>> & Pick<TrainOptions, 'signal' | 'total'>} */
  const checked = {
    steps: Number.POSITIVE_INFINITY,
    rate: noam ? 1 : 1e-3,
    warmup: noam ? 4000 : 0,
    betas: [0.9, noam ? 0.98 : 0.999],
    epsilon: noam ? 1e-9 : 1e-8,
    weightDecay: optimizer === 'adamw' ? 0.01 : 0,
    clip: Number.POSITIVE_INFINITY,
    accumulate: 1,
    labelSmoothing: 0,
    dropout: config.dropout,
    shift: 0,
    seed: 0,
    restart: false,
    validation: [],
    validateEvery: VALIDATE_EVERY,
    keepBest: false,
    ...read,
    optimizer,
    schedule,
  };
  const ends = checked.total !== undefined || Number.isFinite(checked.steps);
  if (['cosine', 'linear'].includes(schedule) && !ends) {
    throw typeError('scheduleEnds', { where: 'train', schedule });
  }
  checked.betas = [checked.betas[0], checked.betas[1]];
  return checked;
}

/** The tapes of the shapes that came last.
 * @param {Training} training @param {Checked} options */
function tapesOf(training, options) {
  /** @type {Map<string, Tape>} the one used last is the last */
  const tapes = new Map();
  return {
    /** @param {ReturnType<Reading['batch']>} batch */
    get(batch) {
      const key = Object.values(batch).join();
      let tape = tapes.get(key);
      if (!tape) {
        if (tapes.size === MAX_TAPES) {
          const [[oldest, old]] = tapes;
          old.dispose();
          tapes.delete(oldest);
        }
        tape = training.tape(options, { ...batch, fused: true });
      }
      tapes.delete(key);
      tapes.set(key, tape);
      return tape;
    },
    dispose() {
      for (const tape of tapes.values()) tape.dispose();
    },
  };
}

/** @param {unknown} batches */
const isIterable = (batches) =>
  typeof batches === 'object' &&
  batches !== null &&
  (Symbol.iterator in batches || Symbol.asyncIterator in batches);

/** Batches, read, as many together as make a step.
 * @param {Iterable<TrainBatch> | AsyncIterable<TrainBatch>} batches @param {number} count
 * @param {(batch: TrainBatch) => Reading} read
 * @returns {AsyncGenerator<Reading[], void, undefined>} */
async function* grouped(batches, count, read) {
  /** @type {Reading[]} */
  let readings = [];
  for await (const batch of batches) {
    readings.push(read(batch));
    if (readings.length < count) continue;
    yield readings;
    readings = [];
  }
}

/** How many labels count. Refuses batches of which none does.
 * @param {string} where @param {readonly Reading[]} readings */
function countLabels(where, readings) {
  const count = readings.reduce((sum, reading) => sum + reading.count, 0);
  if (count) return count;
  const n = readings.reduce((sum, { labels }) => sum + (labels?.rows.flat().length ?? 0), 0);
  throw rangeError('labelsIgnored', { where: `train: ${where}`, n, ignored: IGNORE });
}

/** The training of a model: how many steps were taken, and Adam's moments, are the weights'. */
export class Training {
  #weights;
  #config;

  /** @param {string} where @param {Model} model */
  constructor(where, model) {
    this.#weights = weightsOf(where, model);
    this.#config = model.config;
    this.#weights.checkExact(where);
    const { stored, adapts } = this.#weights;
    if (stored && !adapts) throw failure('GF_ESTATE', 'storedNotTrained', { where });
  }

  /** @param {TrainOptions} options */
  check(options) {
    return checkTraining(options, this.#config);
  }

  /** @param {TrainBatch} batch */
  read(batch) {
    const where = 'train: batch';
    checkOptions(where, batch, INPUTS);
    if (batch.labels === undefined) throw typeError('labelsMissing', { where });
    return new Reading(where, this.#config, batch);
  }

  /** A tape to train on.
   * @param {Checked} options @param {import('./config/config.js').Batch} batch */
  tape({ labelSmoothing, dropout }, batch) {
    return this.#weights.tape(
      { ...batch, training: true, smoothing: labelSmoothing },
      { gradients: true, changes: { dropout } },
    );
  }

  /** Trains step by step; see TrainOptions.
   * @param {Iterable<TrainBatch> | AsyncIterable<TrainBatch>} batches
   * @param {TrainOptions} [options]
   * @returns {AsyncGenerator<Step, void, undefined>} */
  run(batches, options = {}) {
    const checked = this.check(options);
    if (!isIterable(batches)) throw typeError('batches', { where: 'train', given: batches });
    const validation = checked.validation.map((batch) => this.read(batch));
    if (validation.length) countLabels('validation', validation);
    return this.#steps(batches, checked, validation);
  }

  /** @param {Iterable<TrainBatch> | AsyncIterable<TrainBatch>} batches
   * @param {Checked} options @param {readonly Reading[]} validation
   * @returns {AsyncGenerator<Step, void, undefined>} */
  async *#steps(batches, options, validation) {
    const weights = this.#weights;
    weights.check();
    const claim = this.#begin(options);
    const { accumulate, validateEvery, keepBest, signal } = options;
    const total = this.total(options);
    const tapes = tapesOf(this, options);
    const turn = turns();
    /** @type {{ loss: number, values: Float32Array } | null} */
    let best = null;
    try {
      let left = options.steps;
      if (!left || signal?.aborted) return;
      for await (const readings of grouped(batches, accumulate, (batch) => this.read(batch))) {
        const work = this.#step(readings, options, total, tapes);
        const step = await inTurns(work, signal, undefined, turn);
        if (!step) return;
        if (validation.length && step.step % validateEvery === 0) {
          const loss = await inTurns(this.#validate(validation), signal, undefined, turn);
          if (loss === undefined) return yield step;
          step.validationLoss = loss;
          const isBest = keepBest && !(best && loss >= best.loss);
          if (isBest) best = { loss, values: weights.blocks.view('values').slice() };
        }
        yield step;
        if (!--left || signal?.aborted) return;
      }
    } finally {
      tapes.dispose();
      if (best) weights.restore(best.values);
      if (weights.training?.deref() === claim) weights.training = undefined;
    }
  }

  /** The mean loss over the labels of batches, without dropout and smoothing.
   * @param {readonly Reading[]} readings
   * @returns {Generator<unknown, number>} */
  *#validate(readings) {
    let [sum, count] = [0, 0];
    for (const reading of readings) {
      const batch = { ...reading.batch(this.#round), fused: true };
      const tape = this.#weights.tape(batch, { keep: () => ['loss'] });
      try {
        reading.write(tape);
        yield* forwardInSlices(tape);
        sum += reading.count * valuesOf(tape.find('loss'))[0];
        count += reading.count;
      } finally {
        tape.dispose();
      }
    }
    return sum / count;
  }

  /** Claims the model: two trainings would take turns at it, each with the other's gradients and steps.
   * @param {Checked} options restart: Adam begins anew */
  #begin({ restart }) {
    const weights = this.#weights;
    if (weights.training?.deref()) throw failure('GF_ESTATE', 'trainedAlready', { where: 'train' });
    const claim = {};
    weights.training = new WeakRef(claim);
    if (!restart) return claim;
    weights.step = 0;
    const { blocks } = weights;
    for (const moment of ['m', 'v']) if (blocks.has(moment)) blocks.view(moment).fill(0);
    return claim;
  }

  /** One whole step; nothing changes but the gradients before it is sure to succeed.
   * @param {Reading[]} readings @param {Checked} options @param {number} total
   * @param {ReturnType<typeof tapesOf>} tapes
   * @returns {Generator<unknown, Step>} */
  *#step(readings, options, total, tapes) {
    const begin = performance.now();
    const weights = this.#weights;
    weights.check();
    const { engine, size } = weights;
    const { core } = engine;
    const { clipping, ...facts } = yield* this.differentiate(readings, options, (batch) =>
      tapes.get(batch),
    );
    if (clipping < 1) core.gf_multiply(weights.blocks.address('gradients'), size, clipping);
    const learningRate = this.rate(options, total);
    const blocks = ['values', 'gradients', 'm', 'v'].map((name) => weights.blocks.address(name));
    const adam = engine.integers([
      ...floatBits([learningRate, ...options.betas, options.epsilon, options.weightDecay]),
      Number(options.optimizer === 'adamw'),
      facts.step,
    ]);
    core.gf_adam_step(blocks[0], blocks[1], blocks[2], blocks[3], 0, size, adam);
    weights.step = facts.step;
    weights.trained += 1;
    const seconds = (performance.now() - begin) / 1000;
    return { ...facts, learningRate, tokensPerSecond: facts.tokens / seconds };
  }

  /** Forward and backward: what the next step goes by, and the gradients in their block, not clipped. Pauses now and
   * then; if others took that block meanwhile, it begins anew.
   * @param {Reading[]} readings @param {Checked} options
   * @param {(batch: ReturnType<Reading['batch']>) => Tape} tapeFor
   * @returns {Generator<unknown, Omit<Step, 'learningRate' | 'tokensPerSecond'> & { clipping: number }>} */
  *differentiate(readings, options, tapeFor) {
    const weights = this.#weights;
    const step = weights.step + 1;
    const tokens = countLabels('batch', readings);
    let loss;
    let derived;
    do {
      derived = weights.derived + 1;
      loss = yield* this.#accumulate(readings, options, tokens, tapeFor);
    } while (weights.derived !== derived);
    const gradientNorm = weights.engine.core.gf_norm(
      weights.blocks.address('gradients'),
      weights.size,
    );
    if (!Number.isFinite(gradientNorm)) {
      throw failure('GF_EDIVERGED', 'diverged', { where: 'train', norm: gradientNorm, step });
    }
    const clipping = Math.min(1, options.clip / (gradientNorm + CLIP_EPSILON));
    return { step, loss, gradientNorm, tokens, clipping };
  }

  /** The loss of all batches of a step, and its gradients.
   * @param {Reading[]} readings @param {Checked} options @param {number} tokens
   * @param {(batch: ReturnType<Reading['batch']>) => Tape} tapeFor
   * @returns {Generator<unknown, number>} */
  *#accumulate(readings, options, tokens, tapeFor) {
    const weights = this.#weights;
    const step = weights.step + 1;
    let loss = 0;
    weights.clearGradients();
    for (const [i, reading] of readings.entries()) {
      const tape = tapeFor(reading.batch(this.#round));
      reading.write(tape);
      if (options.dropout > 0) {
        /* Each batch of a step drops others. */
        tape.find('dropout.key').set(Int32Array.of(options.seed, (step - 1) * readings.length + i));
      }
      if (options.shift > 0) this.#place(tape, options, (step - 1) * readings.length + i);
      yield* forwardInSlices(tape);
      /* So that the parts of a step make up the mean over all its labels. */
      const share = reading.count / tokens;
      if (share) loss += share * valuesOf(tape.find('loss'))[0];
      yield* backwardInSlices(tape, 'loss', Float32Array.of(share));
      yield;
    }
    return loss;
  }

  /** Gives each sequence's positions another beginning; a table of learned ones has no more rows than it has.
   * @param {Tape} tape @param {Checked} options @param {number} batch how many there were before */
  #place(tape, { shift, seed }, batch) {
    const { positions, maxLength } = this.#config;
    const throwDice = dice(seed, batch);
    for (const node of tape.nodes) {
      if (node.role !== 'positions') continue;
      const room = positions === 'learned' ? Math.min(shift, maxLength - node.size) : shift;
      const first = throwDice(room + 1);
      node.set(Int32Array.from({ length: node.size }, (_, j) => first + j));
    }
  }

  /** The last step of a schedule that ends.
   * @param {Checked} options */
  total({ total, steps }) {
    return total ?? Math.min(this.#weights.step + steps, INT32);
  }

  /** The next step's learning rate.
   * @param {Checked} options @param {number} total */
  rate({ schedule, warmup, rate }, total) {
    const { engine, step } = this.#weights;
    const integers = [SCHEDULES.indexOf(schedule), warmup, total, this.#config.dModel];
    return engine.core.gf_learning_rate(engine.config(integers, [rate]), step + 1);
  }

  /** @param {number} length */
  #round = (length) => Math.min(Math.ceil(length / ROUND_TO) * ROUND_TO, this.#config.maxLength);
}

/** Trains a model step by step: `for await (const { loss } of train(model, batches, options))`. Goes on where
 * its last training ended. After the signal the loop ends, and the model is as the last step left it.
 * @param {Model} model
 * @param {Iterable<TrainBatch> | AsyncIterable<TrainBatch>} batches @param {TrainOptions} [options]
 * @example
 * import { train } from 'glassformer';
 *
 * const model = gf.model({ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 1, maxLength: 16 });
 * const batch = { target: [[1, 2]], labels: [[2, 3]] };
 * for await (const { step } of train(model, [batch, batch])) console.log(step);
 * model.step; // = 2
 * model.dispose(); */
export const train = (model, batches, options) =>
  forAwait('train', new Training('train', model).run(batches, options));
