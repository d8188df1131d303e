// What the worker does: it trains one run or two side by side, and answers what the page asks about them.
import { buffersOf } from '../remote/server.js';
import { Batches } from './batches.js';
import { idsOf, START, tasks, trained } from './core.js';
import { Trial } from './evaluation.js';
import { batchOf } from './opened-step.js';
import { trainingAt } from './protocol.js';
import { Run } from './run.js';

/** @typedef {import('./core.js').Glassformer} Glassformer */
/** @typedef {import('./core.js').Model} Model */
/** @typedef {import('./protocol.js').Plan} Plan */
/** @typedef {import('./protocol.js').Place} Place */
/** @typedef {import('./protocol.js').Recipe} Recipe */
/** @typedef {import('./protocol.js').Side} Side */
/** @typedef {import('./protocol.js').Questions} Questions */
/** @typedef {import('./protocol.js').Answers} Answers */
/** @typedef {(telling: import('./protocol.js').Telling, transfer?: Transferable[]) => void} Tell */
/** @typedef {{ [K in keyof Questions]:
 *   (question: Questions[K], signal: AbortSignal) => Answers[K] | Promise<Answers[K]> }} Answering */

/** Progress is posted to the page this often. */
const REPORT_MS = 100;

/** @implements {Answering} */
export class Trainer {
  #gf;
  #tell;
  /** @type {import('./core.js').Task} */
  #task = tasks.copy;
  #every = 1;
  /** @type {Partial<Record<Side, Run>>} */
  #runs = {};
  /** @type {Awaited<ReturnType<Run['open']>>} */
  #opened = null;

  /**
   * @param {Glassformer} gf
   * @param {Tell} tell
   */
  constructor(gf, tell) {
    this.#gf = gf;
    this.#tell = tell;
  }

  // ---- Runs ----

  /** @param {{ plan: Plan }} question */
  start({ plan }) {
    return this.#begin(plan, (task, { model }) =>
      this.#gf.model({
        kind: 'transformer',
        vocab: task.vocabulary.size,
        /* <end> follows the longest text. */
        maxLength: Math.max(task.maxSource, task.maxTarget) + 1,
        dropout: 0,
        ...model,
      }),
    );
  }

  /**
   * Goes on with a saved model.
   * @param {{ plan: Plan, bytes: Uint8Array }} question
   */
  load({ plan, bytes }) {
    return this.#begin(plan, (task) => trained(this.#gf, task, bytes));
  }

  /**
   * New runs in place of the present ones, which stay if that fails.
   * @param {Plan} plan
   * @param {(task: import('./core.js').Task, recipe: Recipe) => Model} make
   */
  async #begin(plan, make) {
    const { tokens, seed, steps } = plan;
    if (!Object.hasOwn(tasks, plan.task)) throw new RangeError(`there is no task ${plan.task}`);
    const task = tasks[plan.task];
    const trial = new Trial(this.#gf, task, seed);
    /** @type {Partial<Record<Side, Run>>} */
    const runs = {};
    /** Runs that see the same pairs share their batches. @type {Map<number, Batches>} */
    const drawn = new Map();
    try {
      for (const [side, recipe] of recipesOf(plan)) {
        const model = make(task, recipe);
        const longest = longestOf(task, recipe);
        const batches =
          drawn.get(longest) ?? new Batches(task, { tokens, seed, first: model.step, longest });
        drawn.set(longest, batches);
        runs[side] = new Run(this.#gf, model, { recipe, batches, trial });
      }
      for (const run of Object.values(runs)) await run.evaluate();
    } catch (error) {
      for (const run of Object.values(runs)) run.dispose();
      throw error;
    }
    this.#close();
    for (const run of Object.values(this.#runs)) run.dispose();
    this.#task = task;
    this.#every = plan.every;
    this.#runs = runs;
    this.#report();
    return {
      first: Object.values(runs)[0].first,
      vocabulary: [...task.vocabulary.tokens],
      heldOut: trial.size,
      lengths: trial.lengths,
      examples: trial.examples.map(({ source, target }) => ({
        source,
        target,
        sourceTokens: task.tokenize('source', source),
        targetTokens: [...task.tokenize('target', target), '<end>'],
      })),
      runs: Object.fromEntries(
        recipesOf(plan).map(([side, recipe]) => {
          const { model } = /** @type {Run} */ (runs[side]);
          return [side, { ...this.#made(model, recipe, steps), longest: longestOf(task, recipe) }];
        }),
      ),
    };
  }

  /**
   * @param {Model} model
   * @param {Recipe} recipe
   * @param {number} steps
   */
  #made({ size, parameters, config }, recipe, steps) {
    const rateAt = (/** @type {number} */ step) => {
      const { schedule: kind = 'constant', rate, warmup, total } = trainingAt(recipe, step);
      return this.#gf.learningRate(step, { kind, rate, warmup, total, dModel: config.dModel });
    };
    return {
      size,
      config: { ...config },
      parameters: [...parameters.values()].map(({ name, role, parameter, shape }) => ({
        name,
        role,
        parameter,
        shape: [...shape],
      })),
      rates: Array.from({ length: steps }, (_, i) => rateAt(i + 1)),
    };
  }

  /**
   * Trains until that many steps are taken, or cancelled: the runs take turns, step by step.
   * @param {{ to: number }} question
   * @param {AbortSignal} signal
   */
  async train({ to }, signal) {
    const runs = Object.values(this.#runs);
    const evaluateIfDue = async (/** @type {Run} */ run) => {
      if (run.step % this.#every === 0) await run.evaluate();
    };
    for (const run of runs) {
      run.keep();
      /* One that failed before is made up for. */
      await evaluateIfDue(run);
    }
    let reportedAt = performance.now();
    while (!signal.aborted) {
      const going = runs.filter(({ step, ended }) => !ended && step < to);
      if (going.length === 0) break;
      for (const run of going) {
        await run.next();
        await evaluateIfDue(run);
      }
      if (performance.now() - reportedAt < REPORT_MS) continue;
      this.#report();
      reportedAt = performance.now();
    }
    for (const run of runs) await run.evaluate();
    this.#report();
    return { step: Math.max(...runs.map(({ step }) => step)) };
  }

  #report() {
    const runs = Object.entries(this.#runs).map(([side, run]) => [side, run.report()]);
    const progress = { runs: Object.fromEntries(runs) };
    this.#tell({ progress }, [...buffersOf(progress)]);
  }

  /** @param {Side} side */
  #run(side) {
    const run = this.#runs[side];
    if (!run) throw new RangeError(`there is no run ${side}`);
    return run;
  }

  // ---- One step ----

  /**
   * @param {{ side: Side, step: number }} question
   * @param {AbortSignal} signal
   */
  async open({ side, step }, signal) {
    const run = this.#run(side);
    const opened = await run.open(step, signal, this.#replaying);
    if (!opened) return null;
    this.#close();
    this.#opened = opened;
    const { inspection, from } = opened;
    const { loss, learningRate, gradientNorm, clipping, tokens } = inspection;
    const { labelSmoothing } = run;
    const batch = batchOf(inspection.runs[0], { gf: this.#gf, labelSmoothing });
    return { side, step, loss, learningRate, gradientNorm, clipping, tokens, from, batch };
  }

  #replaying = (/** @type {import('./protocol.js').Replay} */ replay) => this.#tell({ replay });

  #close() {
    this.#opened?.inspection.dispose();
    this.#opened?.model.dispose();
    this.#opened = null;
  }

  /** The step that is open. */
  get #inspection() {
    if (this.#opened) return this.#opened.inspection;
    throw new RangeError('no step is open');
  }

  /** @param {{ row: number }} question */
  trace({ row }) {
    return { steps: this.#inspection.runs[0].steps(row) };
  }

  /** @param {{ parameter: string, index: number[] }} question */
  update({ parameter, index }) {
    return this.#inspection.update(parameter, index);
  }

  // ---- Use of a state ----

  /**
   * @template T
   * @param {Place} place
   * @param {AbortSignal} signal
   * @param {(model: Model) => T | Promise<T>} use
   */
  async #with({ side, step }, signal, use) {
    const run = this.#run(side);
    if (step === null || step === run.step) return use(run.model);
    const state = await run.stateAfter(step, signal, this.#replaying);
    if (!state) return null;
    try {
      return await use(state.model);
    } finally {
      state.model.dispose();
    }
  }

  /**
   * @param {{ at: Place, text: string, way: import('./protocol.js').Way }} question
   * @param {AbortSignal} signal
   */
  write({ at: place, text, way }, signal) {
    const task = this.#task;
    const { source } = idsOf(task, { source: text, target: '' });
    const words = (/** @type {number[]} */ ids) =>
      task.vocabulary.decode(ids.filter((id) => task.vocabulary.tokens[id] !== '<end>'));
    const join = (/** @type {number[]} */ ids) => task.detokenize('target', words(ids));
    const options = { ...way, start: START, maxNewTokens: task.maxTarget + 1, signal };
    return this.#with(place, signal, async (model) => {
      if ((way.beams ?? 1) > 1) {
        const results = await model.search(source, options);
        const beams = results.map(({ tokens, logProb, score }) => ({
          text: join(tokens),
          logProb,
          score,
        }));
        return { text: beams[0].text, tokens: words(results[0].tokens), logProbs: [], beams };
      }
      /** @type {number[]} */
      const ids = [];
      /** @type {number[]} */
      const logProbs = [];
      const onStep = (/** @type {{ logProb: number }} */ { logProb }) => logProbs.push(logProb);
      for await (const id of model.generate(source, { ...options, onStep })) ids.push(id);
      signal.throwIfAborted();
      return { text: join(ids), tokens: words(ids), logProbs, beams: [] };
    });
  }

  /**
   * @param {{ at: Place }} question
   * @param {AbortSignal} signal
   */
  save({ at: place }, signal) {
    return this.#with(place, signal, (model) => model.save({ training: true }));
  }
}

/** @param {Plan} plan */
const recipesOf = ({ runs }) => /** @type {[Side, Recipe][]} */ (Object.entries(runs));

/**
 * Tokens of the longest source that a run is trained on.
 * @param {import('./core.js').Task} task
 * @param {Recipe} recipe
 */
const longestOf = ({ maxSource }, { reach = 1 }) => Math.floor(reach * maxSource);
