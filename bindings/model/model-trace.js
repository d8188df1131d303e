// A trace of a model's run: every step of one sequence, in the shape that traces of examples have.

import { rangeError } from '../base/errors.js';
import { checkEdits, Steps } from '../trace/steps.js';
import { removableOf } from './config/remove.js';

/** @typedef {import('../trace/steps.js').Part} Part */
/** @typedef {import('../trace/steps.js').Step} Step */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */
/** @typedef {import('../tape/tape.js').Tape} Tape */
/** @typedef {import('./weights.js').Weights} Weights */

/**
 * @typedef {object} ModelTraceOptions
 * @property {readonly import('./config/config.js').Removal[]} [remove] steps to leave out
 * @property {readonly import('../trace/steps.js').Edit[]} [edits] cells to overwrite, one after the other
 * @property {number} [sequence] which one of the batch is looked at, 0 by default
 * @property {boolean} [gradients] of the parameters, too: true by default
 */

/** The nodes that have a row for each sequence of the batch. A loss is of all of them.
 * @param {readonly Tensor[]} nodes */
function batchedOf(nodes) {
  /** @type {Set<Tensor | null>} */
  const batched = new Set();
  const alone = /\.positions$|^dropout\.key$|^pooler\.first$/;
  for (const node of nodes) {
    const { kind, op, name, inputs } = node;
    const isLeaf = kind === 'ids' || kind === 'input';
    if (isLeaf ? !alone.test(name) : inputs.some((x) => batched.has(x)) && op !== 'cross_entropy') {
      batched.add(node);
    }
  }
  return batched;
}

/** What is seen of each node: the sequence's own part, without the dimension of the batch.
 * @param {readonly Tensor[]} nodes @param {number} count @param {number} sequence
 * @returns {(node: Tensor) => Part} */
function partsOf(nodes, count, sequence) {
  const batched = batchedOf(nodes);
  return (node) => {
    if (!batched.has(node)) return { shape: node.shape, from: 0, size: node.size };
    const size = node.size / count;
    const [, ...shape] = node.shape;
    return { shape: shape.length ? shape : [1], from: sequence * size, size };
  };
}

export class ModelTrace extends Steps {
  #weights;
  #partOf;

  /** @param {Weights} weights @param {Tape} tape not run yet @param {number} count sequences of the batch
   * @param {number} sequence */
  constructor(weights, tape, count, sequence) {
    const { nodes } = tape;
    const partOf = partsOf(nodes, count, sequence);
    super(tape, partOf);
    this.#weights = weights;
    this.#partOf = partOf;
    /** What can be left out, and why not the rest. */
    this.removable = removableOf(nodes);
    /* No text prints anything of a run. */
    this.printed = {};
    this.mismatches = [];
    this.asides = [];
  }

  /** Computes it for the first time, with the edits; tells what part is done.
   * @param {readonly import('../trace/steps.js').Edit[]} edits checked
   * @returns {Generator<number, ModelTrace>} */
  *running(edits) {
    let whole = false;
    try {
      yield* this.computing();
      if (edits.length > 0) this.edits(edits);
      whole = true;
    } finally {
      if (!whole) this.dispose();
    }
    return this;
  }

  /** Overwrites cells, one after the other, as edit() does, but computes what lies downstream of them
   * once, after the last. All are done, or none.
   * @param {readonly import('../trace/steps.js').Edit[]} edits */
  edits(edits) {
    checkEdits(edits);
    for (const { node } of edits) {
      if (this.step(node).kind !== 'parameter') continue;
      throw rangeError('editParameter', { where: 'trace: edit', name: node });
    }
    super.edits(edits);
  }

  /** Parameters are live: the model has them, and there may be many.
   * @protected
   * @param {Tensor} tensor
   * @returns {Step} */
  snapshot(tensor) {
    const { name, kind } = tensor;
    if (kind !== 'parameter') {
      const step = super.snapshot(tensor);
      const { attributes, shape } = step;
      if (!('axis' in attributes) || shape.length === tensor.shape.length) return step;
      return { ...step, attributes: { ...attributes, axis: attributes.axis - 1 } };
    }
    const { op, formula, attributes, bypassed, frozen } = tensor;
    const { shape } = this.#partOf(tensor);
    const parameter = this.#weights.parameters.get(name);
    return {
      name,
      op,
      kind,
      formula,
      shape,
      inputs: [],
      attributes,
      bypassed,
      frozen,
      removed: false,
      get data() {
        return parameter.data;
      },
      grad: null,
    };
  }
}
