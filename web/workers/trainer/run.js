// One training run: its model, the states it passed through, and the way back to any of them.
import { pass } from '../../../bindings/js/base/passed.js';
import { Checkpoints } from './checkpoints.js';
import { inspect, readModel, train } from './core.js';
import { trainingAt } from './protocol.js';

/** @typedef {import('./core.js').Glassformer} Glassformer */
/** @typedef {import('./core.js').Model} Model */
/** @typedef {import('./protocol.js').Recipe} Recipe */
/** @typedef {import('./core.js').TrainStep} Taken */
/** @typedef {import('./batches.js').Batches} Batches */
/** @typedef {import('./evaluation.js').Trial} Trial */
/** @typedef {import('./protocol.js').RunProgress} RunProgress */
/** @typedef {(replay: import('./protocol.js').Replay) => void} OnReplay */

export class Run {
  #gf;
  #batches;
  #trial;
  #recipe;
  #checkpoints = new Checkpoints();
  #steps;
  /** @type {RunProgress} what was not reported yet */
  #news = { steps: [], evaluations: [], ended: null };
  #evaluated = -1;

  /**
   * @param {Glassformer} gf
   * @param {Model} model untrained, or of a file
   * @param {{ recipe: Recipe, batches: Batches, trial: Trial }} options
   */
  constructor(gf, model, { recipe, batches, trial }) {
    this.#gf = gf;
    this.model = model;
    this.#recipe = recipe;
    this.#batches = batches;
    this.#trial = trial;
    this.first = model.step;
    /** @type {import('./protocol.js').Failure | null} why no further step can be taken */
    this.ended = null;
    this.keep();
    this.#steps = this.#begin();
  }

  /** The loop of the training, from the next step on. */
  #begin() {
    return this.#taken(this.model, {});
  }

  /**
   * The steps of a model from the one that it is at: first those that are taken otherwise, if there are any.
   * @param {Model} model
   * @param {{ steps?: number, signal?: AbortSignal }} options
   */
  async *#taken(model, { steps = Number.POSITIVE_INFINITY, signal }) {
    const last = model.step + steps;
    const { training, early } = this.#recipe;
    const from = () => this.#batches.from(model.step + 1);
    const few = early ? Math.min(last, early.before - 1) - model.step : 0;
    if (early && few > 0) yield* train(model, from(), { ...early.training, steps: few, signal });
    yield* train(model, from(), { ...training, steps: last - model.step, signal });
  }

  get step() {
    return this.model.step;
  }

  get labelSmoothing() {
    return this.#recipe.training.labelSmoothing ?? 0;
  }

  /** Keeps the present state, so that the next step can be opened at once. */
  keep() {
    this.#checkpoints.keep(this.step, this.model.save({ training: true }));
  }

  /** Takes one step. */
  async next() {
    const begin = performance.now();
    try {
      const { value } = await this.#steps.next();
      const { step, loss, learningRate, gradientNorm, tokens } = /** @type {Taken} */ (value);
      const milliseconds = performance.now() - begin;
      this.#news.steps.push({ step, loss, learningRate, gradientNorm, tokens, milliseconds });
      if (this.#checkpoints.isDue(this.step)) this.keep();
    } catch (error) {
      if (/** @type {any} */ (error).code === 'GF_EDIVERGED') {
        this.ended = pass(error);
        return;
      }
      /* Its loop is over; the step can be tried again. */
      await this.#steps.return();
      this.#steps = this.#begin();
      throw error;
    }
  }

  /** Tries the held-out pairs, unless that was done at this step. */
  async evaluate() {
    if (this.#evaluated === this.step) return;
    const evaluation = await this.#trial.of(this.model);
    this.#evaluated = evaluation.step;
    this.#news.evaluations.push(evaluation);
  }

  /** What happened since the last time. */
  report() {
    const news = { ...this.#news, ended: this.ended };
    this.#news = { steps: [], evaluations: [], ended: null };
    return news;
  }

  /**
   * Another model in the state after a step, computed again from the nearest state that was kept. Chance
   * is counted, not drawn in order, so its bits are those of the first time. Null if the signal came.
   * @param {number} step
   * @param {AbortSignal} signal
   * @param {OnReplay} onReplay
   */
  async stateAfter(step, signal, onReplay) {
    if (step < this.first || step > this.step) {
      throw new RangeError(`step ${step} is not between ${this.first} and ${this.step}`);
    }
    const from = this.#checkpoints.before(step + 1);
    const model = this.#gf.open(readModel(from.bytes));
    const steps = step - from.step;
    try {
      for await (const taken of this.#taken(model, { steps, signal })) {
        onReplay({ done: taken.step - from.step, of: steps });
      }
    } catch (error) {
      model.dispose();
      throw error;
    }
    if (model.step === step) return { model, from: from.step };
    model.dispose();
    return null;
  }

  /**
   * A step, taken apart; null if the signal came.
   * @param {number} step
   * @param {AbortSignal} signal
   * @param {OnReplay} onReplay
   */
  async open(step, signal, onReplay) {
    const before = await this.stateAfter(step - 1, signal, onReplay);
    if (!before) return null;
    const { model, from } = before;
    try {
      const training = trainingAt(this.#recipe, step);
      return { model, from, inspection: inspect(model, [this.#batches.at(step)], training) };
    } catch (error) {
      model.dispose();
      throw error;
    }
  }

  dispose() {
    this.#steps.return();
    this.model.dispose();
  }
}
