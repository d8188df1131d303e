// A trace: an example, computed. Its steps are snapshots to read, edit and differentiate.

import { checkCore, checkOptions, checkWord } from '../base/errors.js';
import { jsonValue } from '../base/file.js';
import { build, checkRemove, examples, LEAVES, removableOf } from './example.js';
import { checkExample } from './example-form.js';
import { readExample } from './example-layers.js';
import { asidesOf, mismatchesOf, printedOf } from './printed.js';
import { checkEdits, Steps } from './steps.js';

/** @typedef {import('./example.js').Example} Example */
/** @typedef {import('./example.js').Removal} Removal */
/** @typedef {import('../glassformer.js').Glassformer} Glassformer */
/** @typedef {import('./steps.js').Edit} Edit */

/**
 * @typedef {object} TraceOptions
 * @property {Removal[]} [remove] steps to leave out
 * @property {readonly Edit[]} [edits] cells to overwrite, one after the other
 */

/** Computes a worked example.
 * @param {Glassformer} gf what load() gave
 * @param {string | Example} example its name, or your own in the same form
 * @param {TraceOptions} [options]
 * @returns {Trace}
 * @example
 * import { traceExample } from 'glassformer';
 *
 * const trace = traceExample(gf, 'three-tokens', { remove: ['scale'] });
 * trace.step('weights').shape; // = [3, 3]
 * trace.dispose(); */
export function traceExample(gf, example, options) {
  return new Trace(gf, example, options);
}

/** @param {number} value
 * @returns {JSONNumber} */
const jsonNumber = (value) => /** @type {JSONNumber} */ (jsonValue('', value));

/** A number as JSON can write it. @typedef {number | string} JSONNumber */

/** A trace as plain data for JSON.
 * @typedef {object} TraceJSON
 * @property {string} name
 * @property {string} title
 * @property {string} source the text that the example comes from
 * @property {unknown} example as traceExample takes it, once it is parsed
 * @property {Record<string, { shape: readonly number[], data: JSONNumber[] }>} nodes
 * @property {Record<string, Omit<import('./printed.js').PrintedNode, 'text'>>} printed
 * @property {(Omit<import('./printed.js').Mismatch, 'computed'> & { computed: JSONNumber })[]} mismatches
 */

/** @param {unknown} value
 * @returns {unknown} */
const plain = (value) => JSON.parse(JSON.stringify(value, jsonValue));

/** @param {string | Example} example
 * @returns {Example} */
function exampleOf(example) {
  if (typeof example !== 'string') return readExample(example);
  checkWord('traceExample: example', example, Object.keys(examples));
  return examples[example];
}

export class Trace extends Steps {
  #gf;
  /** The nodes that a removal bypasses or holds.
   * @type {Set<string>} */
  #removed = new Set();

  /** @param {Glassformer} gf @param {string | Example} source @param {TraceOptions} [options] */
  constructor(gf, source, options = {}) {
    checkCore('trace', gf);
    checkOptions('trace', options, ['remove', 'edits']);
    const { remove = [], edits = [] } = options;
    const example = exampleOf(source);
    checkExample(example, LEAVES);
    const removable = removableOf(example);
    const removed = checkRemove(removable, remove);
    checkEdits(edits);
    const tape = gf.tape();
    super(tape);
    this.#gf = gf;
    this.example = example;
    /** What can be left out, and why not the rest. */
    this.removable = removable;
    /** What the text prints, by node. Empty once the example is changed, as are the next two: what a
     * text prints about its own numbers says nothing about others.
     * @type {Record<string, import('./printed.js').PrintedNode>} */
    this.printed = {};
    /** @type {import('./printed.js').Mismatch[]} */
    this.mismatches = [];
    /** @type {import('./printed.js').Aside[]} */
    this.asides = [];
    try {
      this.#removed = build(tape, gf, example, removed);
      this.compute();
      if (edits.length > 0) this.edits(edits);
      else if (removed.size === 0) this.#compare();
      if (typeof source !== 'string') this.example = structuredClone(example);
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** The word of each row of x. Where the example has a vocabulary, it is what the ids say now. */
  get tokens() {
    const { tokens = [], vocabulary } = this.example;
    if (!vocabulary) return tokens;
    return Array.from(this.step('tokens').data, (id) => vocabulary[id]);
  }

  /** Overwrites cells, one after the other, as edit() does, but computes what lies downstream of them
   * once, after the last. All are done, or none.
   * @param {readonly Edit[]} edits */
  edits(edits) {
    super.edits(edits);
    this.printed = {};
    this.mismatches = [];
    this.asides = [];
  }

  /** @protected
   * @param {import('../tape/tensor.js').Tensor} tensor */
  snapshot(tensor) {
    return { ...super.snapshot(tensor), removed: this.#removed.has(tensor.name) };
  }

  /** Plain data for JSON; numbers that JSON cannot write are strings, such as "-Infinity".
   * @returns {TraceJSON} */
  toJSON() {
    const { name, title, source } = this.example;
    const nodes = this.steps.map((step) => [
      step.name,
      { shape: step.shape, data: Array.from(step.data, jsonNumber) },
    ]);
    const printed = Object.entries(this.printed).map(([node, { shape, data, verdict }]) => [
      node,
      { shape, data, verdict },
    ]);
    return {
      name,
      title,
      source,
      example: plain(this.example),
      nodes: Object.fromEntries(nodes),
      printed: Object.fromEntries(printed),
      mismatches: this.mismatches.map((mismatch) => ({
        ...mismatch,
        computed: jsonNumber(mismatch.computed),
      })),
    };
  }

  #compare() {
    this.printed = printedOf(this);
    this.asides = asidesOf(this, this.#gf);
    if (!Object.keys(this.printed).length) return;
    const copy = this.#gf.tape();
    try {
      build(copy, this.#gf, this.example, new Set());
      copy.forward();
      this.mismatches = mismatchesOf(this, copy, this.#gf);
    } finally {
      copy.dispose();
    }
  }
}
