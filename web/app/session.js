// Calls the core for the page. tests/layers.js states which other files import which parts of the bindings.
import { claims } from '#capabilities';
import {
  examples as all,
  chain,
  explain,
  load,
  traceModel as modelTrace,
  traceModelInTurns as modelTraceInTurns,
  readModel,
  sentence,
  traceExample,
} from '../../bindings/index.js';
import { memoized } from '../stage/draw/memoized.js';
import { text, vocabularyOf } from './locale/text.js';

/**
 * @typedef {import('../../bindings/index.js').Step & Partial<Called>} Step
 * @typedef {{ word: string, title: string | null, symbol: string | null, aside: boolean }} Called
 * What a step of an exercise is called, where a lesson has no word for it; aside: only a mistake takes it.
 * @typedef {{ node: string, index: number[], printed: number, computed: number,
 *   cause: 'step' | 'carried', from?: 'rounded' | 'wrong' }} Mismatch
 * @typedef {{
 *   steps: Step[], step: (name: string) => Step,
 *   removable: { name: string, possible: boolean, reason: string | null, why: unknown }[],
 *   printed: Record<string, import('../../bindings/index.js').PrintedNode>,
 *   mismatches: Mismatch[],
 *   asides: import('../../bindings/index.js').Aside[],
 *   gradient: (node: string, index: number[]) => void,
 *   gradientInTurns?: (node: string, index: number[], options: { signal: AbortSignal }) => Promise<true>,
 *   nudge: ((cell: Cell, target: Cell, epsilon: number) => Nudge) | null, dispose: () => void,
 *   fixed?: boolean,
 * }} Trace
 * fixed: it is only to be looked at, not to be edited; nudge is null then.
 * @typedef {{ name: string, title: string, source: string, about: string, tokens: string[],
 *   sides?: Record<'source' | 'target', string[]>, predicted?: readonly string[], vocabulary?: readonly string[],
 *   next?: readonly string[],
 *   attention?: { heads?: number, causal?: boolean, scale?: number }, printed?: unknown, inputs?: Record<string, any>,
 *   asides?: readonly { printed: string }[], cut?: { text: string, corpus: string, merges: string[] },
 *   patches?: Patches }} Example
 * @typedef {{ rows: number, columns: number, height: number, width: number }} Patches
 * next: what a model goes on with behind each token.
 * @typedef {import('../stage/draw/tensor.js').Cell} Cell
 * @typedef {Cell & { value: number }} Valued
 * @typedef {Valued & { [part: string]: any }} Explanation
 * @typedef {import('../../bindings/index.js').Chain} Chain
 * @typedef {import('../../bindings/index.js').Nudge} Nudge
 * @typedef {{ example: Example, trace: Trace, intact: Trace | null, others?: Trace[], before?: Trace | null,
 *   over?: ReadonlyMap<string, number>, counts?: ReadonlyMap<Step, number>, stages?: Step[],
 *   runs?: { intact: string, page: string }, differing?: Cell[] }} Opened
 * intact: the same without the removals, if there are any.
 * before: the same without the edits, if there are any; over: what they wrote over in what both share, by its cells.
 * counts: how many numbers of each step the edits changed, where that was counted ahead.
 * others: more runs that a chapter holds against it.
 * stages: the steps that the timeline walks through, if not all.
 * runs: what the two are called, if nothing was removed; differing: the cells that are not the same in both.
 */

/** How a model computes, step by step.
 * @type {(model: any, inputs: any, options?: any) => Trace} */
export const traceModel = /** @type {any} */ (modelTrace);

/** The same, with turns for everything else.
 * @type {(model: any, inputs: any, options?: any) => Promise<Trace>} */
export const traceModelInTurns = /** @type {any} */ (modelTraceInTurns);

/** The worked examples, in order. */
export const examples = /** @type {Record<string, Example>} */ (/** @type {unknown} */ (all));

export class Session {
  /** @param {any} core what load() gave */
  constructor(core) {
    this.core = core;
    /** What was asked last: a view asks often for the same.
     * @type {{ trace: Trace | null, key: string, told: Explanation }} */
    this.told = { trace: null, key: '', told: /** @type {any} */ (null) };
    /** What was computed last without edits: it is the same while the edits alone change.
     * @type {{ example: Example, remove: any[], trace: Trace } | null} */
    this.unedited = null;
  }

  static async start() {
    return new Session(await load());
  }

  get examples() {
    return examples;
  }

  /**
   * A worked example by its name, or one's own sentence if there is one.
   * @param {Pick<import('./state/walk.js').Walk, 'example' | 'sentence'>} state
   * @returns {Example}
   */
  exampleOf({ example, sentence: chosen }) {
    if (chosen) return /** @type {any} */ (written(chosen));
    if (Object.hasOwn(examples, example)) return examples[example];
    throw new RangeError(text('page/noExample', { name: example }));
  }

  /**
   * @param {Example} example
   * @param {{ remove?: any[], edits?: any[] }} [options]
   * @returns {Trace}
   */
  trace = (example, options) =>
    /** @type {any} */ (traceExample(this.core, /** @type {any} */ (example), options));

  /**
   * Computes an example, and beside it the same without removals, and without edits and another divisor, if there are
   * any.
   * @param {Example} example
   * @param {Pick<import('./state/walk.js').Walk, 'remove' | 'edits'> & { divide?: string }} changes
   * @returns {Opened}
   */
  run(example, { remove, edits, divide = 'root' }) {
    const isDivided = divide !== 'root' && example.attention !== undefined;
    const before = edits.length > 0 || isDivided ? this.#before(example, remove) : null;
    const asked = before && isDivided ? divided(example, before, divide) : example;
    const trace = this.trace(asked, { remove, edits });
    const intact = remove.length > 0 ? this.trace(asked, { edits }) : null;
    return { example: worded(example, trace), trace, intact, before };
  }

  /**
   * An example without edits. Its steps stay readable; its memory is given back at once.
   * @param {Example} example
   * @param {any[]} remove
   */
  #before(example, remove) {
    const { unedited } = this;
    if (unedited?.example === example && unedited.remove === remove) return unedited.trace;
    const trace = this.trace(example, { remove });
    trace.dispose();
    this.unedited = { example, remove, trace };
    return trace;
  }

  /**
   * A model that was saved.
   * @param {Uint8Array} bytes
   */
  saved(bytes) {
    return this.core.open(readModel(bytes));
  }

  /**
   * How one number arose.
   * @param {Trace} trace
   * @param {Cell} cell
   * @returns {Explanation}
   */
  explain(trace, { node, index }) {
    const key = `${node}:${index}`;
    if (this.told.trace !== trace || this.told.key !== key) {
      const explanation = explain(/** @type {any} */ (trace), node, index, this.core);
      this.told = { trace, key, told: /** @type {any} */ (explanation) };
    }
    return this.told.told;
  }

  /**
   * Why the gradient of the target is what it is in a cell; trace.gradient() has been called.
   * @param {Trace} trace
   * @param {Cell} target
   * @param {Cell} cell
   * @returns {Chain}
   */
  chain(trace, target, { node, index }) {
    return chain(trace, target, node, index, this.core);
  }

  /**
   * The experiment that tests a claim, step by step.
   * @param {string} name
   * @param {number} seed
   */
  async evidence(name, seed) {
    const { evidence } = await claims();
    return evidence({ core: this.core, trace: this.trace, traceModel, seed }, name);
  }
}

/**
 * An example with the words of its rows, in the reader's language where it has a vocabulary.
 * @param {Example} example @param {Trace} trace
 * @returns {Example}
 */
function worded(example, trace) {
  if (!example.vocabulary) return { ...example, tokens: example.tokens ?? [] };
  const ids = Array.from(trace.step('tokens').data);
  const all = () => vocabularyOf(example) ?? [];
  return {
    ...example,
    get vocabulary() {
      return all();
    },
    get tokens() {
      return ids.map((id) => all()[id]);
    },
  };
}

/**
 * An example whose scores are divided by another number than √d_k; what its text prints is about that one.
 * @param {Example} example
 * @param {Trace} usual the same as the text has it
 * @param {string} divide 'one', or 'width' for d_k
 * @returns {Example}
 */
function divided({ printed: _, asides: __, ...example }, usual, divide) {
  const scaling = usual.steps.find(
    ({ role, attributes }) => role === 'score' && 'factor' in attributes,
  );
  const factor = scaling?.attributes.factor ?? 1;
  const scale = divide === 'one' ? 1 : factor * factor;
  return { ...example, attention: { ...example.attention, scale } };
}

const written = memoized((/** @type {import('./state/walk.js').Sentence} */ { text, ...options }) =>
  sentence(text, options),
);
