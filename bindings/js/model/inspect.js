// The next step of a training, taken apart: its runs with every value and gradient, and what Adam will
// make of any weight. Nothing of the model changes.

import { flatIndex } from '../base/cell.js';
import { atOnce } from '../base/turn.js';
import { numbers } from '../eager/numbers.js';
import { gradientTerms } from './gradient.js';
import { weightsOf } from './model.js';
import { Run } from './run.js';
import { failure, typeError } from './texts.js';
import { Training } from './train.js';

/** @typedef {import('./gradient.js').GradientTerm} GradientTerm */
/** @typedef {import('./model.js').Model} Model */
/** @typedef {import('./train.js').TrainBatch} TrainBatch */
/** @typedef {import('./train.js').TrainOptions} TrainOptions */
/** @typedef {import('./weights.js').Weights} Weights */

/** @typedef {{ step: number, loss: number, learningRate: number, gradientNorm: number, clipping: number,
 *   tokens: number }} Facts */
/** @typedef {{ optimizer: string, betas: [number, number], epsilon: number, weightDecay: number }} Adam */

/** One weight's step of Adam. The moments and the new value are the core's, bit for bit.
 * @typedef {object} Update
 * @property {string} parameter the name of the parameter
 * @property {number[]} index
 * @property {number} step
 * @property {number} value before the step
 * @property {number} gradient
 * @property {number} clipping what all gradients are multiplied by: below 1 if they are clipped
 * @property {number} clipped clipping times gradient
 * @property {number} decay weightDecay times value: added to the gradient, or with adamw, times the
 *   learning rate, taken off the value
 * @property {number} learningRate
 * @property {number} beta1 the decay of m
 * @property {number} beta2 the decay of v
 * @property {number} epsilon
 * @property {number} mBefore the first moment before the step
 * @property {number} m beta1 mBefore + (1 - beta1) clipped
 * @property {number} vBefore the second moment before the step
 * @property {number} v beta2 vBefore + (1 - beta2) clipped^2
 * @property {number} mCorrection 1 - beta1^step
 * @property {number} vCorrection 1 - beta2^step
 * @property {number} mHat m / mCorrection
 * @property {number} vHat v / vCorrection
 * @property {number} next value - learningRate mHat / (sqrt(vHat) + epsilon)
 * @property {GradientTerm[]} terms of the gradient
 */

const f32 = Math.fround;

export class Inspection {
  #weights;
  #adam;
  #derived;

  /** @param {Weights} weights @param {readonly Run[]} runs @param {Facts} facts @param {Adam} adam */
  constructor(weights, runs, facts, adam) {
    this.#weights = weights;
    this.#adam = adam;
    this.#derived = weights.derived;
    /** One per batch, forward and backward done: tensor(name) has data and grad. */
    this.runs = runs;
    /** 1 at the first. */
    this.step = facts.step;
    /** The mean over the labels. */
    this.loss = facts.loss;
    this.learningRate = facts.learningRate;
    /** Before clipping. */
    this.gradientNorm = facts.gradientNorm;
    /** What the gradients are multiplied by: below 1 if they are clipped. */
    this.clipping = facts.clipping;
    /** Labels that count. */
    this.tokens = facts.tokens;
  }

  /** What the step does to one weight.
   * @param {string} name of a parameter @param {readonly number[]} index
   * @returns {Update} */
  update(name, index) {
    const weights = this.#weights;
    weights.check();
    if (weights.derived !== this.#derived) {
      throw failure('GF_ESTATE', 'otherGradients', { where: 'update' });
    }
    const parameter = weights.parameters.get(name);
    const offset = flatIndex(`update: ${name}`, parameter.shape, index);
    const { step, learningRate, clipping } = this;
    const { optimizer, betas, epsilon, weightDecay } = this.#adam;
    const [beta1, beta2] = betas;
    const value = parameter.data[offset];
    const gradient = parameter.block('gradients')[offset];
    const clipped = clipping < 1 ? f32(f32(clipping) * gradient) : gradient;
    const [mBefore, vBefore] = [parameter.m?.[offset] ?? 0, parameter.v?.[offset] ?? 0];
    const after = numbers(weights.engine).adam(
      { value: [value], grad: [clipped], m: [mBefore], v: [vBefore] },
      {
        learningRate,
        beta1,
        beta2,
        epsilon,
        weightDecay,
        decoupled: optimizer === 'adamw',
        step,
      },
    );
    const [[m], [v], [next]] = [after.m, after.v, after.value];
    const mCorrection = 1 - f32(beta1) ** step;
    const vCorrection = 1 - f32(beta2) ** step;
    return {
      parameter: name,
      index: [...index],
      step,
      value,
      gradient,
      clipping,
      clipped,
      decay: f32(f32(weightDecay) * value),
      learningRate,
      beta1,
      beta2,
      epsilon,
      mBefore,
      m,
      vBefore,
      v,
      mCorrection,
      vCorrection,
      mHat: f32(m / mCorrection),
      vHat: f32(v / vCorrection),
      next,
      terms: gradientTerms(this.runs, name, index),
    };
  }

  /** Gives the memory of the runs back. */
  dispose() {
    for (const run of this.runs) run.dispose();
  }

  [Symbol.dispose]() {
    this.dispose();
  }
}

/** The step that train would take next, without taking it: every value and gradient of its runs, and by
 * update() what Adam makes of any weight. Until the model changes or runs again.
 * @param {Model} model @param {readonly TrainBatch[]} batches of that one step @param {TrainOptions} [options]
 * @returns {Inspection}
 * @example
 * import { inspect } from 'glassformer';
 *
 * const model = gf.model({ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 1, maxLength: 16 });
 * const inspection = inspect(model, [{ target: [[1, 2]], labels: [[2, 3]] }]);
 * inspection.update('embedding.weight', [0, 0]).step; // = 1
 * inspection.dispose(); */
export function inspect(model, batches, options = {}) {
  const weights = weightsOf('inspect', model);
  const training = new Training('inspect', model);
  const checked = training.check(options);
  weights.check();
  if (!Array.isArray(batches) || batches.length !== checked.accumulate) {
    const n = checked.accumulate;
    throw typeError('batchesOfStep', { where: 'inspect', n, given: batches });
  }
  const readings = batches.map((batch) => training.read(batch));
  /** @type {Run[]} */
  const runs = [];
  try {
    const work = training.differentiate(readings, checked, (batch) => {
      const tape = training.tape(checked, batch);
      runs.push(new Run(tape));
      return tape;
    });
    const facts = atOnce(work);
    const learningRate = training.rate(checked, training.total(checked));
    return new Inspection(weights, runs, { ...facts, learningRate }, checked);
  } catch (error) {
    for (const run of runs) run.dispose();
    throw error;
  }
}
