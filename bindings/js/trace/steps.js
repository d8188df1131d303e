// The steps of a tape as plain data: to read, edit and differentiate. All traces share this.

import { flatIndex } from '../base/cell.js';
import { checkArray, checkOptions, failure, near } from '../base/errors.js';
import { atOnce } from '../base/turn.js';
import { MAX_DEPTH, put } from '../base/values.js';
import { factsOf, gradientOf, valuesOf } from '../tape/tensor.js';
import { downstream } from './flow.js';
import { checkNudge, nudge } from './nudge.js';

/** @typedef {import('../tape/tape.js').Tape} Tape */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */
/** @typedef {{ node: string, index: number[], value: number }} Edit */

/** @typedef {import('../tape/description.js').Description} Description */

/** A node after the run: plain data, copied. What it is comes with it: role, axes, stack, layer, ...
 * @typedef {Description & StepFacts} Step */

/**
 * @typedef {object} StepFacts
 * @property {string} name
 * @property {string} op
 * @property {import('../tape/tensor.js').Kind} kind what the node is: an op, a parameter, an input
 * @property {string} formula
 * @property {readonly number[]} shape
 * @property {(string | null)[]} inputs
 * @property {Readonly<Record<string, number>>} attributes what it was built with besides its inputs
 * @property {number | null} bypassed the operand that is copied instead
 * @property {boolean} frozen whether its values were edited, or are held by a removal
 * @property {import('../stored/matrix.js').Arithmetic} [arithmetic] `integer` of a product that is a sum of integers
 * @property {boolean} removed whether it was left out: it copies, or holds what there is without it
 * @property {Float32Array | Int32Array} data of a stored parameter made anew with each reading
 * @property {import('../tape/block.js').Stored} [stored] of a parameter that is kept in few bits: its numbers one by one
 * @property {number} from how many numbers of the whole batch come before these: 0 unless a later sequence
 *   of it is seen
 * @property {number} [count] of a loss of which one sequence of a batch is seen: what its mean divides by
 * @property {Float32Array | null} grad after gradient(), and not for ids
 */

/** What of a node is seen: so much from a place on, in this shape, with these axes if not all of its own.
 * @typedef {Pick<Step, 'shape' | 'from'> & Partial<Pick<Step, 'axes' | 'sequences'>> & { size: number }} Part */

/** The edits, copied: their owner may change them before they are made.
 * @param {unknown} edits
 * @returns {Edit[]} */
export function checkEdits(edits) {
  checkArray('trace: edits', edits);
  const copies = [];
  for (const edit of edits) {
    checkOptions('trace: edits', edit, ['node', 'index', 'value']);
    const { node, index, value } = /** @type {Edit} */ (edit);
    const isIndex = Array.isArray(index) && index.length <= MAX_DEPTH;
    copies.push({ node, index: isIndex ? [...index] : index, value });
  }
  return copies;
}

/** @param {Tensor} tensor
 * @returns {Part} */
export const wholeOf = ({ shape, size }) => ({ shape, from: 0, size });

/** The part of one sequence of a batch, without the dimension of the batch; all of what has none.
 * @param {Tensor} tensor @param {number} sequence
 * @returns {Part} */
export function sequenceOf(tensor, sequence) {
  const [first, ...axes] = tensor.axes;
  if (first !== 'batch') return wholeOf(tensor);
  const [count, ...shape] = tensor.shape;
  const size = tensor.size / count;
  const sequences = tensor.sequences.slice(1);
  if (shape.length === 0)
    return { shape: [1], axes: [null], sequences: [null], from: sequence, size };
  return { shape, axes, sequences, from: sequence * size, size };
}

/** A tensor as plain data, copied; its gradient comes later.
 * @param {Tensor} tensor @param {Part} part
 * @returns {Step} */
export function stepOf(tensor, { size, ...part }) {
  const { attributes, ...facts } = factsOf(tensor);
  const { shape, from } = part;
  /* An axis that is named by its number has moved up where the batch is left out. */
  const moved = 'axis' in attributes && shape.length < tensor.shape.length;
  const { stored } = tensor;
  const step = {
    ...facts,
    attributes: moved ? { ...attributes, axis: attributes.axis - 1 } : attributes,
    ...part,
    removed: facts.bypassed !== null,
    data: /** @type {Float32Array} */ (stored ? null : valuesOf(tensor).slice(from, from + size)),
    grad: null,
  };
  return stored?.tell(step) ?? step;
}

export class Steps {
  #tape;
  #partOf;
  /** @type {Map<string, number>} */
  #places = new Map();

  /** @param {Tape} tape
   * @param {(tensor: Tensor) => Part} [partOf] all of a node by default */
  constructor(tape, partOf = wholeOf) {
    this.#tape = tape;
    this.#partOf = partOf;
    /** Every node, in the order of computation.
     * @type {Step[]} */
    this.steps = [];
  }

  /** @param {string} name */
  step(name) {
    const place = this.#places.get(name);
    if (place !== undefined) return this.steps[place];
    const hint = near(String(name), this.#places.keys());
    throw failure('GF_ENAME', 'noStep', { value: name, hint, node: String(name) });
  }

  /** @param {string} name of a step */
  #tensor(name) {
    return this.#tape.nodes[/** @type {number} */ (this.#places.get(name))];
  }

  /** Overwrites one cell. A computed node keeps its other values as they are now; only what lies
   * downstream is computed again.
   * @param {string} node @param {number[]} index @param {number} value */
  edit(node, index, value) {
    this.edits([{ node, index, value }]);
  }

  /** Overwrites cells, one after the other, as edit() does, but computes what lies downstream of them
   * once, after the last. All are done, or none. Steps that are not downstream stay as they are, but lose
   * their gradients.
   * @param {readonly Edit[]} edits */
  edits(edits) {
    atOnce(this.editing(edits));
  }

  /** The same with pauses: yields which part of the nodes is computed.
   * @protected
   * @param {readonly Edit[]} edits
   * @returns {Generator<number, void>} */
  *editing(edits) {
    checkEdits(edits);
    const tape = this.#tape;
    const { nodes } = tape;
    /** @type {(() => void)[]} */
    const undo = [];
    /** @type {Set<Tensor>} written since the nodes behind them were last marked */
    const written = new Set();
    /** @type {Set<Tensor>} to be computed again */
    const stale = new Set();
    /** @type {Set<Tensor>} not as they were: written or computed */
    const changed = new Set();
    const recompute = function* (/** @type {number} */ end) {
      for (const node of downstream(nodes, written)) stale.add(node);
      written.clear();
      for (const node of nodes.slice(0, end)) {
        if (!stale.has(node)) continue;
        tape.forward(node, node);
        stale.delete(node);
        changed.add(node);
        yield node.id / nodes.length;
      }
    };
    try {
      for (const { node, index, value } of edits) {
        const { shape, kind } = this.step(node);
        const where = `trace: edit: ${node}`;
        const tensor = this.#tensor(node);
        const offset = this.#partOf(tensor).from + flatIndex(where, shape, index);
        if (kind === 'op' && !tensor.frozen) {
          /* Its other values stay as the edits before this one have made them. */
          yield* recompute(tensor.id + 1);
          tape.freeze(tensor);
          undo.push(() => tape.freeze(tensor, false));
        }
        const before = valuesOf(tensor)[offset];
        put(valuesOf(tensor), offset, value, where, index);
        /* Memory may have grown by then, which empties views of it. */
        undo.push(() => {
          valuesOf(tensor)[offset] = before;
        });
        written.add(tensor);
        changed.add(tensor);
      }
      yield* recompute(nodes.length);
    } catch (error) {
      for (const restore of undo.reverse()) restore();
      for (const node of nodes) if (changed.has(node)) tape.forward(node, node);
      throw error;
    }
    this.steps = this.steps.map((step, place) =>
      changed.has(nodes[place]) ? this.snapshot(nodes[place]) : step,
    );
    for (const step of this.steps) step.grad = null;
  }

  /** Gradients of one cell with respect to every step before it, into steps[].grad.
   * @param {string} node @param {number[]} index */
  gradient(node, index) {
    atOnce(this.deriving(node, index));
  }

  /** The same with pauses.
   * @protected
   * @param {string} node @param {number[]} index
   * @returns {Generator<unknown, true>} */
  *deriving(node, index) {
    const { shape } = this.step(node);
    const tensor = this.#tensor(node);
    const seed = new Float32Array(tensor.size);
    seed[this.#partOf(tensor).from + flatIndex(`trace: gradient: ${node}`, shape, index)] = 1;
    yield* this.carrying(this.#tape, tensor, seed);
    for (const [place, other] of this.#tape.nodes.entries()) {
      const { from, size } = this.#partOf(other);
      this.steps[place].grad = gradientOf(other)?.slice(from, from + size) ?? null;
      yield;
    }
    return true;
  }

  /** Computes a node.
   * @protected
   * @param {Tape} tape @param {Tensor} tensor @param {number} _done which part of all is, when it begins
   * @returns {Iterable<number>} which parts are, where it pauses */
  forwarding(tape, tensor, _done) {
    tape.forward(tensor, tensor);
    return [];
  }

  /** Carries a gradient down the tape.
   * @protected
   * @param {Tape} tape @param {Tensor} tensor @param {Float32Array} seed its gradient
   * @returns {Iterable<unknown>} */
  carrying(tape, tensor, seed) {
    tape.backward(tensor, seed);
    return [];
  }

  /** What becomes of the target if one cell is moved by epsilon, and what its gradient predicts. Leaves
   * the gradients of the target in steps[].grad, and all values as they were.
   * @param {{ node: string, index: number[] }} cell @param {{ node: string, index: number[] }} target
   * @param {number} epsilon */
  nudge(cell, target, epsilon) {
    const [from, to] = [cell, target].map((place) => {
      checkOptions('nudge', place, ['node', 'index']);
      const { node, index } = place;
      const offset = flatIndex(`nudge: ${String(node)}`, this.step(node).shape, index);
      const tensor = this.#tensor(node);
      return { tensor, offset: this.#partOf(tensor).from + offset };
    });
    checkNudge(from, epsilon);
    this.gradient(target.node, target.index);
    return nudge(this.#tape, from, to, epsilon);
  }

  /** Gives the memory back. The steps stay readable. */
  dispose() {
    this.#tape.dispose();
  }

  [Symbol.dispose]() {
    this.dispose();
  }

  /** Runs the tape, and records every step.
   * @protected */
  compute() {
    atOnce(this.computing());
  }

  /** The same with pauses: yields which part is done.
   * @protected
   * @returns {Generator<number, true>} */
  *computing() {
    const { nodes } = this.#tape;
    const steps = [];
    for (const tensor of nodes) {
      yield* this.forwarding(this.#tape, tensor, steps.length / nodes.length);
      steps.push(this.snapshot(tensor));
      yield steps.length / nodes.length;
    }
    this.steps = steps;
    this.#places = new Map(steps.map(({ name }, place) => [name, place]));
    return true;
  }

  /** @protected
   * @param {Tensor} tensor
   * @returns {Step} */
  snapshot(tensor) {
    return stepOf(tensor, this.#partOf(tensor));
  }
}
