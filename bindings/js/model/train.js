// Training: forward, backward, clip, one step of Adam; again.

import { dice } from '../base/random.js';
import { inTurnsUntil, streamOf, turns } from '../base/turn.js';
import { isIterable, sizeOf } from '../base/values.js';
import { Tape } from '../tape/tape.js';
import { valuesOf } from '../tape/tensor.js';
import { rateAt, takeStep } from './adam.js';
import { checkInputs, Reading } from './inputs/inputs.js';
import { IGNORE } from './inputs/sequences.js';
import { weightsOf } from './model.js';
import { backwardInSlices, forwardInSlices } from './slices.js';
import { failure, rangeError, typeError } from './texts.js';
import { trainTape } from './train-tape.js';
import { checkTraining, totalOf } from './training-options.js';

/** @typedef {import('./train-tape.js').TapeBatch} TapeBatch */
/** @typedef {import('./train-tape.js').TapeStep} TapeStep */
/** @typedef {import('./train-tape.js').TapeTrainOptions} TapeTrainOptions */
/** @typedef {import('./inputs/inputs.js').Inputs} Inputs */
/** @typedef {import('./config/config.js').Config} Config */
/** @typedef {import('./model.js').Model} Model */

/**
 * @typedef {object} TrainOptions
 * @property {number} [steps] at most so many; by default until the batches end
 * @property {'adam' | 'adamw'} [optimizer] adam by default
 * @property {'noam' | 'inverse-sqrt' | 'cosine' | 'linear' | 'constant'} [schedule] constant by default
 * @property {number | ((step: number) => number)} [rate] the peak; noam: a factor, 1 by default; else 0.001. A function
 *   gives it for each step, the first being 1
 * @property {number} [warmup] steps; noam: 4000 by default; else 0
 * @property {number} [total] the step at which cosine and linear reach 0; by default the last of `steps`
 * @property {[number, number]} [betas] [0.9, 0.999] by default; noam: [0.9, 0.98]
 * @property {number} [epsilon] 1e-8 by default; noam: 1e-9
 * @property {number} [weightDecay] 0 by default; adamw: 0.01
 * @property {(parameter: import('./adam.js').ParameterShape) => import('./adam.js').GroupOptions | undefined} [groups] gives
 *   what a parameter does not share with the others, by its name and shape: its decay, a factor of its rate
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

/** Tapes that are kept for the next batch of their shape; lengths are rounded up to share them. */
const MAX_TAPES = 8;
const ROUND_TO = 4;
/** PyTorch's clip_grad_norm_ adds it to the norm. */
const CLIP_EPSILON = 1e-6;

/** @typedef {import('./training-options.js').Checked} Checked */

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
    checkInputs(where, this.#config, batch);
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
    const claim = this.#begin();
    const { validateEvery, keepBest, signal } = options;
    const tapes = tapesOf(this, options);
    const turn = turns();
    /** @type {{ loss: number, values: Float32Array } | null} */
    let best = null;
    try {
      let left = options.steps;
      if (!left || signal?.aborted) return;
      const total = this.total(options);
      for await (const readings of this.#readings(batches, options)) {
        const work = this.#step(readings, options, total, tapes);
        const step = await inTurnsUntil(work, signal, turn);
        if (!step) return;
        if (validation.length && step.step % validateEvery === 0) {
          const loss = await inTurnsUntil(this.#validate(validation), signal, turn);
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

  /** The batches of each step, checked. Nothing is forgotten for one that is refused.
   * @param {Iterable<TrainBatch> | AsyncIterable<TrainBatch>} batches @param {Checked} options */
  async *#readings(batches, { accumulate, restart }) {
    let isNew = restart;
    for await (const readings of grouped(batches, accumulate, (batch) => this.read(batch))) {
      if (isNew) this.#restart();
      isNew = false;
      yield readings;
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

  /** Claims the model: two trainings would take turns at it, each with the other's gradients and steps. */
  #begin() {
    const weights = this.#weights;
    if (weights.training?.deref()) throw failure('GF_ESTATE', 'trainedAlready', { where: 'train' });
    const claim = {};
    weights.training = new WeakRef(claim);
    return claim;
  }

  /** Forgets the training so far; the parameters stay. */
  #restart() {
    const { blocks } = this.#weights;
    this.#weights.step = 0;
    for (const moment of ['m', 'v']) if (blocks.has(moment)) blocks.view(moment).fill(0);
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
    takeStep(engine, this.#parts(options), options, learningRate, facts.step);
    weights.step = facts.step;
    weights.trained += 1;
    const seconds = (performance.now() - begin) / 1000;
    return { ...facts, learningRate, tokensPerSecond: facts.tokens / seconds };
  }

  /** All numbers at once, or parameter by parameter where they differ.
   * @param {Checked} options
   * @returns {import('./adam.js').Part[]} */
  #parts({ groups }) {
    const { blocks, size, parameters } = this.#weights;
    const from = ['values', 'gradients', 'm', 'v'].map((name) => blocks.address(name));
    if (!groups) return [{ places: from, size }];
    let offset = 0;
    return [...parameters].map(([name, { shape }]) => {
      const places = from.map((address) => address + 4 * offset);
      const count = sizeOf(shape);
      offset += count;
      return { places, size: count, about: { name, shape } };
    });
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
  total(options) {
    return totalOf(options, options.restart ? 0 : this.#weights.step);
  }

  /** The next step's learning rate.
   * @param {Checked} options @param {number} total */
  rate(options, total) {
    const { engine, step } = this.#weights;
    return rateAt(engine, options, total, step + 1, this.#config.dModel);
  }

  /** @param {number} length */
  #round = (length) => Math.min(Math.ceil(length / ROUND_TO) * ROUND_TO, this.#config.maxLength);
}

/** Trains a model step by step: `for await (const { loss } of train(model, batches, options))`; `await` takes all steps, and
 * gives what each reported. Without either, nothing happens. Goes on where its last training ended. After the signal it ends,
 * and the model is as the last step left it.
 *
 * A planned tape is trained in the same way: a batch is what to write into its leaves, by their names, and its
 * parameters are the leaves of tape.parameter().
 * @type {{
 *   (model: Model, batches: Iterable<TrainBatch> | AsyncIterable<TrainBatch>, options?: TrainOptions):
 *     import('../base/turn.js').Stream<Step>,
 *   (tape: Tape, batches: Iterable<TapeBatch> | AsyncIterable<TapeBatch>, options?: TapeTrainOptions):
 *     import('../base/turn.js').Stream<TapeStep> }}
 * @example
 * import { train } from 'glassformer';
 *
 * const model = gf.model({ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 1, maxLength: 16 });
 * const batch = { target: [[1, 2]], labels: [[2, 3]] };
 * for await (const { step } of train(model, [batch, batch])) console.log(step);
 * model.step; // = 2
 * model.dispose();
 *
 * const tape = gf.tape();
 * const y = tape.scale(tape.parameter('w', [1]), 3, 'y');
 * tape.mseLoss(y, tape.input('target', [1]), 'loss');
 * tape.plan();
 * for await (const { loss } of train(tape, Array(400).fill({ target: [6] }), { rate: 0.1 })) console.log(loss);
 * tape.find('w').toArray(); // = [2]
 * tape.dispose(); */
export const train = /** @type {any} */ (
  (/** @type {Model | Tape} */ model, /** @type {any} */ batches, /** @type {any} */ options) =>
    streamOf(
      'train',
      model instanceof Tape
        ? trainTape(model, batches, options)
        : new Training('train', model).run(batches, options),
    )
);
