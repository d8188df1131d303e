// Training of any tape that ends in a loss: its parameters are the leaves that were made as such.

import { checkOptions } from '../base/errors.js';
import { inTurnsUntil, turns } from '../base/turn.js';
import { isIterable, isObject } from '../base/values.js';
import { Tape } from '../tape/tape.js';
import { gradientOf, valuesOf } from '../tape/tensor.js';
import { rateAt, takeStep } from './adam.js';
import { backwardInSlices, forwardInSlices, inner } from './slices.js';
import { failure, rangeError, typeError } from './texts.js';
import { checkTraining, totalOf } from './training-options.js';

/** @typedef {import('../tape/tensor.js').Tensor} Tensor */
/** @typedef {import('../base/values.js').Values} Values */
/** @typedef {import('./train.js').TrainOptions} TrainOptions */
/** @typedef {import('./training-options.js').Checked} Checked */
/** @typedef {import('./adam.js').Part} Part */

/** What to write into leaves, by their names. @typedef {Record<string, Values>} TapeBatch */

/**
 * @typedef {object} TapeStep
 * @property {number} step 1 at the first
 * @property {number} loss before the step
 * @property {number} learningRate
 * @property {number} gradientNorm before clipping
 */

/** PyTorch's clip_grad_norm_ adds it to the norm. */
const CLIP_EPSILON = 1e-6;

/** What a tape's training goes on with: the moments are leaves of a tape of their own, whose memory goes with it.
 * @typedef {{ step: number, moments: Tape, busy: boolean }} State */

/** @type {WeakMap<Tape, State>} */
const states = new WeakMap();

/** @param {Tape} tape */
const parametersOf = (tape) =>
  tape.nodes.filter((node) => node.kind === 'parameter' && gradientOf(node));

/** @param {Tape} tape @param {boolean} restart
 * @returns {State} */
function stateOf(tape, restart) {
  const before = states.get(tape);
  if (before?.busy) throw failure('GF_ESTATE', 'trainedAlready', { where: 'train' });
  if (before && !restart) return before;
  const parameters = parametersOf(tape);
  if (!parameters.length) throw failure('GF_ESTATE', 'nothingTrained', { where: 'train' });
  const moments = new Tape(inner(tape).block.engine);
  for (const [i, { size }] of parameters.entries())
    for (const moment of ['m', 'v']) moments.input(`${moment}.${i}`, [size]);
  moments.plan();
  before?.moments.dispose();
  const state = { step: 0, moments, busy: false };
  states.set(tape, state);
  return state;
}

/** Where parameters, gradients and moments lie now: memory that grows moves no numbers, but each view.
 * @param {Tape} tape @param {Tape} moments
 * @returns {Part[]} */
const partsOf = (tape, moments) =>
  parametersOf(tape).map((node, i) => ({
    about: { name: node.name, shape: node.shape },
    size: node.size,
    places: [
      valuesOf(node),
      /** @type {Float32Array} */ (gradientOf(node)),
      ...['m', 'v'].map((moment) => valuesOf(moments.find(`${moment}.${i}`))),
    ].map(({ byteOffset }) => byteOffset),
  }));

/** One step.
 * @param {Tape} tape @param {Tensor} loss @param {State} state @param {Checked} options @param {number} total
 * @returns {Generator<unknown, TapeStep>} */
function* stepOf(tape, loss, state, options, total) {
  const { engine } = inner(tape).block;
  yield* forwardInSlices(tape);
  const value = valuesOf(loss)[0];
  yield* backwardInSlices(tape, loss.name, Float32Array.of(1));
  const parts = partsOf(tape, state.moments);
  const norms = parts.map(({ places, size }) => engine.core.gf_norm(places[1], size));
  const gradientNorm = Math.hypot(...norms);
  const step = state.step + 1;
  if (!Number.isFinite(gradientNorm)) {
    throw failure('GF_EDIVERGED', 'diverged', { where: 'train', norm: gradientNorm, step });
  }
  const clipping = Math.min(1, options.clip / (gradientNorm + CLIP_EPSILON));
  if (clipping < 1)
    for (const { places, size } of parts) engine.core.gf_multiply(places[1], size, clipping);
  const learningRate = rateAt(engine, options, total, step, 1);
  takeStep(engine, parts, options, learningRate, step);
  state.step = step;
  tape.refresh();
  return { step, loss: value, learningRate, gradientNorm };
}

/** Those that a tape's training takes, besides its loss. */
export const OF_TAPES = /** @type {const} */ ([
  ...['steps', 'optimizer', 'schedule', 'rate', 'warmup', 'total', 'betas', 'epsilon'],
  ...['weightDecay', 'groups', 'clip', 'restart', 'signal'],
]);

/** loss: the node that is made small, or its name, 'loss' by default.
 * @typedef {Pick<TrainOptions, 'steps' | 'optimizer' | 'schedule' | 'rate' | 'warmup' | 'total' | 'betas' | 'epsilon'
 *   | 'weightDecay' | 'groups' | 'clip' | 'restart' | 'signal'> & { loss?: string | import('../tape/tensor.js').Tensor }}
 *   TapeTrainOptions */

/** Trains a tape step by step. Goes on where its last training ended.
 * @param {Tape} tape planned
 * @param {Iterable<TapeBatch> | AsyncIterable<TapeBatch>} batches
 * @param {string | Tensor} node of the loss @param {Checked} options
 * @returns {AsyncGenerator<TapeStep, void, undefined>} */
async function* stepsOf(tape, batches, node, options) {
  const loss = inner(tape).pick('train: loss', node);
  if (loss.size !== 1) {
    throw rangeError('shapeAs', { where: 'train: loss', expected: [1], shape: loss.shape });
  }
  const state = stateOf(tape, options.restart);
  const { signal, steps } = options;
  const total = totalOf(options, state.step);
  const turn = turns();
  let left = steps;
  state.busy = true;
  try {
    if (!left || signal?.aborted) return;
    for await (const batch of batches) {
      if (!isObject(batch)) throw typeError('object', { where: 'train: batch', given: batch });
      for (const [name, values] of Object.entries(batch)) tape.find(name).set(values);
      const work = stepOf(tape, loss, state, options, total);
      const step = await inTurnsUntil(work, signal, turn);
      if (!step) return;
      yield step;
      if (!--left || signal?.aborted) return;
    }
  } finally {
    state.busy = false;
  }
}

/** @param {Tape} tape @param {Iterable<TapeBatch> | AsyncIterable<TapeBatch>} batches
 * @param {TapeTrainOptions} [options] */
export function trainTape(tape, batches, options = {}) {
  checkOptions('train', options, [...OF_TAPES, 'loss']);
  const { loss = 'loss', ...rest } = options;
  if (!isIterable(batches)) throw typeError('batches', { where: 'train', given: batches });
  return stepsOf(tape, batches, loss, checkTraining(rest, { dropout: 0 }));
}
