// A run of a model that experiments change: values are replaced, and only what lies downstream is computed again.

import { checkListener, checkOptions, withoutNulls } from '../../js/base/errors.js';
import { checkSignal, atOnce as finish, inTurns } from '../../js/base/turn.js';
import { checkInputs, Reading } from '../../js/model/inputs/inputs.js';
import { weightsOf } from '../../js/model/model.js';
import { prepared } from '../../js/model/ready.js';
import { costOf, run, sliceCost } from '../../js/model/slices.js';
import { valuesOf } from '../../js/tape/tensor.js';
import { downstream } from '../../js/trace/flow.js';
import { rangeError, typeError } from './texts.js';

/** @typedef {import('../../js/model/inputs/inputs.js').Inputs} Inputs */
/** @typedef {import('../../js/model/model.js').Model} Model */
/** @typedef {import('../../js/tape/tape.js').Tape} Tape */
/** @typedef {import('../../js/tape/tensor.js').Tensor} Tensor */

/** Functions that change the values of nodes as soon as they are computed.
 * @typedef {ReadonlyMap<Tensor, (values: Float32Array) => void>} Changes */

/** Pushes nodes behind the model's own: behind the logits, if it makes any.
 * @typedef {(tape: Tape, logits: Tensor | undefined) => void} More */

/** Long experiments let the event loop run, report how far they are, and end when the signal comes.
 * @typedef {object} Listener
 * @property {AbortSignal} [signal] after it the experiment rejects with the signal's reason
 * @property {(part: number) => void} [onProgress] part: 0 to 1
 */

const LISTENER = ['signal', 'onProgress'];
/** Options that an experiment needs wherever it has them. */
const REQUIRED = ['from', 'layer', 'head', 'node', 'nodes', 'sender', 'query'];

/** Floats of a node.
 * @param {Tensor} node
 * @returns {Float32Array} */
export const floatsOf = (node) => /** @type {Float32Array} */ (valuesOf(node));

/** Whether two rows of numbers have the same bits.
 * @param {Float32Array} a @param {Float32Array} b */
export function alike(a, b) {
  const [x, y] = [a, b].map((one) => new Int32Array(one.buffer, one.byteOffset, one.length));
  return x.length === y.length && x.every((bits, i) => bits === y[i]);
}

/** Does an experiment in turns. Its options are checked before anything else, with those of the listener.
 * @template T @template {Listener} O
 * @param {string} where @param {O} given @param {readonly string[]} allowed
 * @param {(use: (bench: Bench) => Bench, options: O) => Generator<number, T>} work tells what part is done; benches that it
 *   hands to `use` are disposed of at the end
 * @returns {Promise<T>} */
export async function experiment(where, given, allowed, work) {
  checkOptions(where, given, [...allowed, ...LISTENER]);
  const options = withoutNulls(given, REQUIRED);
  const { signal, onProgress } = options;
  checkSignal(`${where}: signal`, signal);
  checkListener(`${where}: onProgress`, onProgress);
  /** @type {Bench[]} */
  const benches = [];
  const use = (/** @type {Bench} */ bench) => {
    benches.push(bench);
    return bench;
  };
  try {
    return await inTurns(work(use, options), signal, onProgress);
  } finally {
    for (const bench of benches) bench.dispose();
  }
}

/** Does the work of an experiment at once.
 * @template T
 * @param {(use: (bench: Bench) => Bench) => Generator<number, T>} work
 * @returns {T} */
export function atOnce(work) {
  /** @type {Bench[]} */
  const benches = [];
  const running = work((bench) => {
    benches.push(bench);
    return bench;
  });
  try {
    return finish(running);
  } finally {
    for (const bench of benches) bench.dispose();
  }
}

export class Bench {
  /** Nodes whose values differ from the unchanged run: they are computed before the next reading.
   * @type {Set<Tensor>} */
  #stale;
  /** @type {Tensor | undefined} */
  #logits;

  /** @param {string} where @param {Model} model @param {Inputs} inputs of one sequence
   * @param {More} [more] @param {boolean} [derives] whether its steps have gradients: else half the memory is enough, which
   *   is cleared in one piece */
  constructor(where, model, inputs, more, derives = false) {
    const weights = weightsOf(where, model);
    const { config } = model;
    checkInputs(where, config, inputs);
    weights.checkExact(where);
    const reading = new Reading(where, config, inputs);
    const { size } = reading.batch();
    if (size > 1) throw rangeError('oneSequence', { where, n: size });
    this.where = where;
    this.engine = weights.engine;
    this.config = config;
    /** @type {Pick<typeof weights, 'tape'>} */
    const forwardOnly = {
      tape: (batch, options) =>
        weights.tape(batch, { ...options, keep: ({ nodes }) => [...nodes] }),
    };
    const from = derives ? weights : forwardOnly;
    const { tape } = prepared(from, config, reading, { gradients: false }, (made) => {
      this.#logits = made.nodes.find(({ name }) => name === 'logits');
      more?.(made, this.#logits);
    });
    this.tape = tape;
    this.nodes = tape.nodes;
    /** The stacks, in the order of computation. */
    this.stacks = [...new Set(this.nodes.flatMap(({ stack }) => stack ?? []))];
    /** How many nodes were computed since it was made. */
    this.computed = 0;
    this.#stale = new Set(this.nodes.filter(({ kind }) => kind === 'op'));
    /** Cells whose values an experiment put there, by their node: they are not what the steps before them give.
     * @type {ReadonlyMap<Tensor, ReadonlySet<number>>} */
    this.replaced = new Map();
  }

  /** Runs the model with these changes, and without all earlier ones. Only what they reach is computed.
   * @param {Changes} [changes] @param {ReadonlySet<Tensor>} [held] nodes that stay as the unchanged run has them,
   *   whatever changes before them */
  run(changes, held) {
    finish(this.running(changes, held));
  }

  /** The same with pauses, at which an experiment has done 0.
   * @param {Changes} [changes] @param {ReadonlySet<Tensor>} [held]
   * @returns {Generator<number, void>} */
  *running(changes = new Map(), held = new Set()) {
    if ([...held].some((node) => this.#stale.has(node))) yield* this.running();
    const free = held.size > 0 ? this.nodes.filter((node) => !held.has(node)) : this.nodes;
    const reached = new Set([...changes.keys(), ...downstream(free, changes.keys())]);
    let work = 0;
    for (const node of free) {
      if (!reached.has(node) && !this.#stale.has(node)) continue;
      work += costOf(node);
      if (work > sliceCost(this.tape)) {
        yield 0;
        work = costOf(node);
      }
      yield* run(this.tape, 'gf_forward', node.id, node.id, 0);
      this.computed += 1;
      changes.get(node)?.(floatsOf(node));
    }
    this.#stale = reached;
  }

  /** The last node of the model.
   * @returns {Tensor} */
  get logits() {
    if (this.#logits) return this.#logits;
    throw typeError('noLogits', { where: this.where });
  }

  /** Numbers of a parameter, expanded where they are kept in few bits.
   * @param {Tensor} parameter
   * @returns {Float32Array} */
  weights(parameter) {
    return parameter.stored?.data ?? floatsOf(parameter);
  }

  /** A copy of the values of nodes, as they are now.
   * @param {Iterable<Tensor>} nodes
   * @returns {Map<Tensor, Float32Array>} */
  copies(nodes) {
    return new Map([...nodes].map((node) => [node, floatsOf(node).slice()]));
  }

  dispose() {
    this.tape.dispose();
  }
}
