// A tape's methods that make nodes: leaves, attention in named steps, and those of each op's own file.

import { ALL, MAX_RANK } from '../../generated/layout.js';
import { builders } from '../../generated/ops.js';
import { checkArray, checkInteger, failure } from '../base/errors.js';
import { checkShape, INT32 } from '../base/values.js';
import { attentionConfig } from './attention.js';
import { Nodes } from './nodes.js';

/** @typedef {import('../../generated/ops.js').Builders} Builders */
/** @typedef {import('./attention.js').AttentionOptions} AttentionOptions */
/** @typedef {import('./tensor.js').Tensor} Tensor */

class Leaves extends Nodes {
  // ---- Leaves ----

  /** Data that you fill.
   * @param {string} name @param {number[]} shape */
  input(name, shape) {
    return this.#leaf('gf_input', name, shape);
  }

  /** Something to be learned, that you fill.
   * @param {string} name @param {number[]} shape */
  parameter(name, shape) {
    return this.#leaf('gf_parameter', name, shape);
  }

  /** int32 that you fill: tokens, positions, lengths, or a boolean mask.
   * @param {string} name @param {number[]} shape */
  ids(name, shape) {
    return this.#leaf('gf_ids', name, shape);
  }

  // ---- Attention ----

  /** Scaled dot-product attention in named steps: q, k, v, scores, scores.scaled, scores.masked,
   * weights, mix, concat, output. Returns output.
   * @param {AttentionOptions} options
   * @param {string} [path] goes before each name, with a dot between */
  attention(options, path = '') {
    const [integers, floats] = attentionConfig(
      options,
      (where, node) => this.operand(where, node),
      (where, node) => this.optional(where, node),
    );
    const { engine } = this.block;
    return this.build('attention', path, (address, name) =>
      engine.core.gf_attention(address, engine.config(integers, floats), name),
    );
  }

  // ---- Several in one ----

  /** Joins tensors of one shape along a new axis. The steps in between are named after it.
   * @param {Tensor[]} tensors two or more @param {number} axis of the result; a negative one counts from the end
   * @param {string} name
   * @example
   * const tape = gf.tape();
   * const [a, b] = ['a', 'b'].map((name) => tape.input(name, [2, 3]));
   * tape.stack([a, b], 0, 'both').shape; // = [2, 2, 3]
   * tape.stack([a, b], -1, 'pairs').shape; // = [2, 3, 2] */
  stack(tensors, axis, name) {
    checkArray('stack: tensors', tensors);
    const ids = Array.from(tensors, (one, i) => this.operand(`stack: tensors[${i}]`, one));
    checkInteger('stack: tensors.length', ids.length, 2, INT32);
    const rank = tensors[0].shape.length + 1;
    const along = checkInteger('stack: axis', axis, -rank, rank - 1);
    const place = along < 0 ? along + rank : along;
    const shape = rank > MAX_RANK ? [] : tensors[0].shape.toSpliced(place, 0, 1);
    const sizes = Array.from({ length: MAX_RANK }, (_, i) => shape[i] ?? 0);
    return this.#several('stack', name, 2 * ids.length, (push) => {
      const apart = ids.map((x, i) => push('reshape', [x], sizes, `${name}.${i}`));
      return apart.reduce((a, b, i) =>
        push('concat', [a, b], [place], i === ids.length - 1 ? name : `${name}.0-${i}`),
      );
    });
  }

  /** The mean squared error, in three steps: name.error, name.square and their mean.
   * @param {Tensor} x @param {Tensor} target of the same shape @param {string} name
   * @example
   * const tape = gf.tape();
   * const [x, target] = ['x', 'target'].map((name) => tape.input(name, [2]));
   * const loss = tape.mseLoss(x, target, 'loss');
   * tape.plan();
   * x.set([1, 3]);
   * target.set([1, 1]);
   * tape.forward();
   * loss.toArray(); // = [2] */
  mseLoss(x, target, name) {
    const ids = [this.operand('mseLoss: x', x), this.operand('mseLoss: target', target)];
    if (`${x.shape}` !== `${target.shape}`) {
      const shapes = `[${x.shape}] x [${target.shape}]`;
      throw failure('GF_ESHAPE', 'unfit', { where: 'mseLoss', shapes });
    }
    return this.#several('mseLoss', name, 3, (push) => {
      const square = push('pow', [push('sub', ids, [], `${name}.error`)], [2], `${name}.square`);
      return push('mean', [square], [ALL, 0], name);
    });
  }

  // ---- How a step is built ----

  /** Several steps, all of them or none.
   * @param {string} what @param {string} name of the last @param {number} room how many they are at most
   * @param {(push: (op: string, operands: number[], attributes: number[], step: string) => number) => number} make */
  #several(what, name, room, make) {
    const { engine } = this.block;
    const push = (/** @type {number} */ address) =>
      make((op, operands, attributes, step) => {
        const { id } = /** @type {import('../runtime/ops.js').Op} */ (engine.ops.get(op));
        const text = engine.name(`${what}: name`, step);
        const [floats, integers] = engine.numbers(attributes, operands);
        return engine.core.gf_push(address, id, integers, floats, text);
      });
    return this.build(what, name, push, { room });
  }

  /** @param {'gf_input' | 'gf_parameter' | 'gf_ids'} make @param {string} name @param {number[]} shape */
  #leaf(make, name, shape) {
    const what = make.slice(3);
    const dimensions = checkShape(`${what}: shape`, shape);
    const { engine } = this.block;
    /* The scratch holds no longer shape, and the core refuses a rank of 5 without looking at it. */
    const first = dimensions.slice(0, MAX_RANK);
    return this.build(
      what,
      name,
      (address, text) =>
        engine.core[make](address, dimensions.length, engine.integers(first), text),
      { given: () => dimensions },
    );
  }
}

Object.assign(Leaves.prototype, builders);

export const Ops =
  /** @type {{ new (...options: ConstructorParameters<typeof Leaves>): Leaves & Builders }} */ (
    /** @type {unknown} */ (Leaves)
  );
