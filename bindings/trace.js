// A trace: an example computed, every step a snapshot that can be looked at, edited, differentiated.

import { checkOptions, didYouMean, GlassformerError, show } from './errors.js';
import { build, checkExample, checkRemove, examples, removableOf } from './example.js';
import { asidesOf, mismatchesOf, printedOf } from './printed.js';
import { flatIndex, put } from './values.js';

/** @typedef {import('./example.js').Example} Example */
/** @typedef {import('./example.js').Removal} Removal */
/** @typedef {import('./glassformer.js').Glassformer} Glassformer */
/** @typedef {import('./tape.js').Tape} Tape */
/** @typedef {import('./tensor.js').Tensor} Tensor */
/** @typedef {{ node: string, index: number[], value: number }} Edit */

/**
 * @typedef {object} TraceOptions
 * @property {Removal[]} [remove] steps to leave out
 * @property {Edit[]} [edits] cells to overwrite, one after the other
 */

/** A node after the run: plain data, copied.
 * @typedef {object} Step
 * @property {string} name
 * @property {string} op
 * @property {import('./tensor.js').Kind} kind
 * @property {string} formula
 * @property {readonly number[]} shape
 * @property {(string | null)[]} inputs
 * @property {Readonly<Record<string, number>>} attributes what it was built with besides its inputs
 * @property {number | null} bypassed the operand that is copied instead
 * @property {boolean} frozen whether its values were edited
 * @property {Float32Array | Int32Array} data
 * @property {Float32Array | null} grad after gradient(), and not for ids
 */

/** JSON has no infinities and no NaN: they become strings.
 * @param {number} value */
const jsonNumber = (value) => (Number.isFinite(value) ? value : String(value));

/** @param {string | Example} example
 * @returns {Example} */
function exampleOf(example) {
  if (typeof example !== 'string') return example;
  if (Object.hasOwn(examples, example)) return examples[example];
  const near = didYouMean(example, Object.keys(examples));
  throw new RangeError(`trace: there is no example ${show(example)}${near}`);
}

export class Trace {
  #gf;
  /** @type {Tape} */
  #tape;

  /** @param {Glassformer} gf @param {string | Example} given @param {TraceOptions} [options] */
  constructor(gf, given, options = {}) {
    checkOptions('trace', options, ['remove', 'edits']);
    const { remove = [], edits = [] } = options;
    const example = exampleOf(given);
    checkExample(example);
    this.#gf = gf;
    this.example = example;
    /** What can be left out, and why not the rest. */
    this.removable = removableOf(example);
    const removed = checkRemove(this.removable, remove);
    if (!Array.isArray(edits)) {
      throw new TypeError(`trace: edits: expected an array, received ${show(edits)}`);
    }
    for (const edit of edits) checkOptions('trace: edits', edit, ['node', 'index', 'value']);
    /** Every node, in the order of computation.
     * @type {Step[]} */
    this.steps = [];
    /** What the text prints, by node. Empty once the example is changed, as are the next two: what a
     * text prints about its own numbers says nothing about others.
     * @type {Record<string, import('./printed.js').PrintedNode>} */
    this.printed = {};
    /** @type {import('./printed.js').Mismatch[]} */
    this.mismatches = [];
    /** @type {import('./printed.js').Aside[]} */
    this.asides = [];
    this.#tape = gf.tape();
    try {
      build(this.#tape, gf, example, removed);
      this.#compute();
      if (removed.size === 0) this.#compare();
      for (const { node, index, value } of edits) this.edit(node, index, value);
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** @param {string} name */
  step(name) {
    const found = this.steps.find((step) => step.name === name);
    if (found) return found;
    const near = didYouMean(
      String(name),
      this.steps.map((step) => step.name),
    );
    throw new GlassformerError('GF_ENAME', `no step ${show(name)}${near}`, String(name));
  }

  /** Overwrites one cell. A computed node keeps its other values as they are now; only what lies
   * downstream is computed again.
   * @param {string} node @param {number[]} index @param {number} value */
  edit(node, index, value) {
    const { shape, kind } = this.step(node);
    const where = `trace: edit: ${node}`;
    const at = flatIndex(where, shape, index);
    const tensor = this.#tape.find(node);
    const before = tensor.data[at];
    put(tensor.data, at, value, where, index);
    if (kind === 'op') this.#tape.freeze(tensor);
    try {
      this.#compute();
    } catch (error) {
      /* An id that names no row: leaves alone can be refused. */
      tensor.data[at] = before;
      throw error;
    }
    this.printed = {};
    this.mismatches = [];
    this.asides = [];
  }

  /** Gradients of one cell with respect to every step before it, into steps[].grad.
   * @param {string} node @param {number[]} index */
  gradient(node, index) {
    const { shape, data } = this.step(node);
    const seed = new Float32Array(data.length);
    seed[flatIndex(`trace: gradient: ${node}`, shape, index)] = 1;
    this.#tape.backward(node, seed);
    for (const { name, grad } of this.#tape.nodes) {
      this.step(name).grad = grad?.slice() ?? null;
    }
  }

  /** Plain data for JSON; numbers that JSON cannot write are strings, such as "-Infinity". */
  toJSON() {
    const { name, title, source } = this.example;
    const nodes = this.steps.map((step) => [
      step.name,
      { shape: step.shape, data: Array.from(step.data, jsonNumber) },
    ]);
    const printed = Object.entries(this.printed).map(([node, { shape, data }]) => [
      node,
      { shape, data },
    ]);
    return {
      name,
      title,
      source,
      nodes: Object.fromEntries(nodes),
      printed: Object.fromEntries(printed),
      mismatches: this.mismatches.map((mismatch) => ({
        ...mismatch,
        computed: jsonNumber(mismatch.computed),
      })),
    };
  }

  /** Gives the memory back. The steps stay readable. */
  dispose() {
    this.#tape.dispose();
  }

  [Symbol.dispose]() {
    this.dispose();
  }

  #compute() {
    this.#tape.forward();
    this.steps = this.#tape.nodes.map((tensor) => this.#snapshot(tensor));
  }

  /** @param {Tensor} tensor
   * @returns {Step} */
  #snapshot(tensor) {
    const { name, op, kind, formula, shape, attributes, bypassed, frozen } = tensor;
    const inputs = tensor.inputs.map((input) => input?.name ?? null);
    const data = tensor.data.slice();
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
      data,
      grad: null,
    };
  }

  #compare() {
    this.printed = printedOf(this);
    this.asides = asidesOf(this, this.#gf);
    if (!Object.keys(this.printed).length) return;
    const again = this.#gf.tape();
    try {
      build(again, this.#gf, this.example, new Set());
      again.forward();
      this.mismatches = mismatchesOf(this, again, this.#gf);
    } finally {
      again.dispose();
    }
  }
}
