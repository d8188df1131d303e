// What a tape computed, step by step: to be looked at, edited, differentiated. What all traces share.

import { checkArray, checkOptions, failure, near } from '../base/errors.js';
import { atOnce } from '../base/turn.js';
import { flatIndex, put } from '../base/values.js';
import { valuesOf } from '../tape/tensor.js';
import { checkNudge, nudge } from './nudge.js';

/** @typedef {import('../tape/tape.js').Tape} Tape */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */
/** @typedef {{ node: string, index: number[], value: number }} Edit */

/** A node after the run: plain data, copied.
 * @typedef {object} Step
 * @property {string} name
 * @property {string} op
 * @property {import('../tape/tensor.js').Kind} kind
 * @property {string} formula
 * @property {readonly number[]} shape
 * @property {(string | null)[]} inputs
 * @property {Readonly<Record<string, number>>} attributes what it was built with besides its inputs
 * @property {number | null} bypassed the operand that is copied instead
 * @property {boolean} frozen whether its values were edited, or are held by a removal
 * @property {boolean} removed whether it was left out: it copies, or holds what there is without it
 * @property {Float32Array | Int32Array} data
 * @property {Float32Array | null} grad after gradient(), and not for ids
 */

/** What of a node is seen: so much from a place on, in this shape.
 * @typedef {{ shape: readonly number[], from: number, size: number }} Part */

/** What runs a tape: the tape itself, or a model's run.
 * @typedef {Pick<Tape, 'forward' | 'backward' | 'freeze' | 'dispose'>} Runner */

/** @param {unknown} edits
 * @returns {asserts edits is Edit[]} */
export function checkEdits(edits) {
  checkArray('trace: edits', edits);
  for (const edit of edits) checkOptions('trace: edits', edit, ['node', 'index', 'value']);
}

export class Steps {
  #tape;
  #runner;
  /** @type {(tensor: Tensor) => Part} */
  #partOf;
  /** @type {Map<string, number>} */
  #places = new Map();

  /** @param {Tape} tape @param {Runner} [runner]
   * @param {(tensor: Tensor) => Part} [partOf] all of a node by default */
  constructor(tape, runner = tape, partOf = ({ shape, size }) => ({ shape, from: 0, size })) {
    this.#tape = tape;
    this.#runner = runner;
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

  /** Overwrites one cell. A computed node keeps its other values as they are now; only what lies
   * downstream is computed again.
   * @param {string} node @param {number[]} index @param {number} value */
  edit(node, index, value) {
    this.edits([{ node, index, value }]);
  }

  /** Overwrites cells, one after the other, as edit() does, but computes what lies downstream of them
   * once, after the last. All are done, or none.
   * @param {readonly Edit[]} edits */
  edits(edits) {
    checkEdits(edits);
    const { nodes } = this.#tape;
    /** @type {(() => void)[]} */
    const undo = [];
    /** The first node that was not computed since the leaves and frozen nodes before it changed. */
    let stale = nodes.length;
    const bring = (/** @type {number} */ end) => {
      for (; stale < end; stale++) this.#runner.forward(nodes[stale], nodes[stale]);
    };
    try {
      for (const { node, index, value } of edits) {
        const { shape, kind } = this.step(node);
        const where = `trace: edit: ${node}`;
        const place = /** @type {number} */ (this.#places.get(node));
        const tensor = nodes[place];
        const { data } = tensor;
        const at = this.#partOf(tensor).from + flatIndex(where, shape, index);
        if (kind === 'op' && !tensor.frozen) {
          /* Its other values stay as the edits before this one have made them. */
          bring(place + 1);
          this.#tape.freeze(tensor);
          undo.push(() => this.#tape.freeze(tensor, false));
        }
        const before = data[at];
        put(data, at, value, where, index);
        undo.push(() => {
          data[at] = before;
        });
        stale = Math.min(stale, place);
      }
      bring(nodes.length);
    } catch (error) {
      for (const back of undo.reverse()) back();
      stale = 0;
      bring(nodes.length);
      throw error;
    }
    this.#take();
  }

  /** Gradients of one cell with respect to every step before it, into steps[].grad.
   * @param {string} node @param {number[]} index */
  gradient(node, index) {
    const { shape } = this.step(node);
    const tensor = this.#tape.find(node);
    const seed = new Float32Array(tensor.size);
    seed[this.#partOf(tensor).from + flatIndex(`trace: gradient: ${node}`, shape, index)] = 1;
    this.#runner.backward(tensor, seed);
    this.#tape.nodes.forEach((other, place) => {
      const { from, size } = this.#partOf(other);
      this.steps[place].grad = other.grad?.slice(from, from + size) ?? null;
    });
  }

  /** What becomes of the target if one cell is moved by epsilon, and what its gradient predicts. Leaves
   * the gradients of the target in steps[].grad, and all values as they were.
   * @param {{ node: string, index: number[] }} cell @param {{ node: string, index: number[] }} target
   * @param {number} epsilon */
  nudge(cell, target, epsilon) {
    const place = (/** @type {{ node: string, index: number[] }} */ given) => {
      checkOptions('nudge', given, ['node', 'index']);
      const { node, index } = given;
      const tensor = this.#tape.find(node);
      const at = flatIndex(`nudge: ${node}`, this.step(node).shape, index);
      return { tensor, at: this.#partOf(tensor).from + at };
    };
    const [from, to] = [place(cell), place(target)];
    checkNudge(from, epsilon);
    this.gradient(target.node, target.index);
    return nudge(this.#runner, from, to, epsilon);
  }

  /** Gives the memory back. The steps stay readable. */
  dispose() {
    this.#runner.dispose();
  }

  [Symbol.dispose]() {
    this.dispose();
  }

  /** Runs the tape, and takes every step down.
   * @protected */
  compute() {
    atOnce(this.computing());
  }

  /** The same with pauses: tells what part is done.
   * @protected
   * @returns {Generator<number, true>} */
  *computing() {
    const { nodes } = this.#tape;
    for (const [place, tensor] of nodes.entries()) {
      this.#runner.forward(tensor, tensor);
      yield (place + 1) / nodes.length;
    }
    this.#take();
    return true;
  }

  /** Takes every step down. */
  #take() {
    this.steps = this.#tape.nodes.map((tensor) => this.snapshot(tensor));
    this.#places = new Map(this.steps.map(({ name }, place) => [name, place]));
  }

  /** @protected
   * @param {Tensor} tensor
   * @returns {Step} */
  snapshot(tensor) {
    const { name, op, kind, formula, attributes, bypassed, frozen } = tensor;
    const inputs = tensor.inputs.map((input) => input?.name ?? null);
    const { shape, from, size } = this.#partOf(tensor);
    const data = valuesOf(tensor).slice(from, from + size);
    return {
      name,
      op,
      kind,
      formula,
      shape,
      inputs,
      attributes,
      bypassed,
      frozen,
      removed: bypassed !== null,
      data,
      grad: null,
    };
  }
}
