// What load() gives: tapes, traces, and every op on plain data.

import { ids, mask, run, values } from './eager.js';
import { checkFinite, checkInteger, checkOptions, show } from './errors.js';
import { Tape } from './tape.js';
import { Trace } from './trace.js';
import { checkShape, sizeOf } from './values.js';

/** @typedef {import('./eager.js').Plain} Plain */
/** @template V @typedef {import('./eager.js').Like<V>} Like */
/** @template V @typedef {import('./eager.js').LikeOfAnyRank<V>} LikeOfAnyRank */
/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./values.js').Values} Values */

/**
 * @typedef {object} MaskValues
 * @property {boolean} [causal] query i sees key j only if j <= i
 * @property {Values | null} [mask] booleans (or a typed array of integers): true keeps, false masks;
 *   numbers are added to the scores
 * @property {Values | null} [lengths] one per first index of x: keys from there on are padding
 */

const UINT32 = 2 ** 32 - 1;

/** @param {unknown} value */
const isGiven = (value) => value !== null && value !== undefined;

/** mask and lengths, as far as they are given.
 * @param {string} where @param {MaskValues} options */
function maskOperands(where, options) {
  return {
    ...(isGiven(options.mask) && { mask: mask(`${where}: mask`, options.mask) }),
    ...(isGiven(options.lengths) && { lengths: ids(`${where}: lengths`, options.lengths) }),
  };
}

/** One core, ready to compute. */
export class Glassformer {
  #engine;

  /** @param {Engine} engine */
  constructor(engine) {
    this.#engine = engine;
  }

  /** An empty tape. */
  tape() {
    return new Tape(this.#engine);
  }

  /** A worked example, or your own in the same form, with every step computed.
   * @param {string | import('./example.js').Example} example an example or the name of one
   * @param {import('./trace.js').TraceOptions} [options] */
  trace(example, options) {
    return new Trace(this, example, options);
  }

  /** e^x, the core's own: one term of a softmax.
   * @param {number} x */
  exp(x) {
    if (typeof x !== 'number') throw new TypeError(`exp: expected a number, received ${show(x)}`);
    return this.#engine.core.gf_expf(x);
  }

  /** Uniform numbers in [low, high) that depend on seed, stream and place alone.
   * @param {number[]} shape
   * @param {{ seed?: number, stream?: number, low?: number, high?: number }} [options]
   * @returns {Plain} */
  uniform(shape, options = {}) {
    checkOptions('uniform', options, ['seed', 'stream', 'low', 'high']);
    const { seed = 0, stream = 0, low = 0, high = 1 } = options;
    const dimensions = checkShape('uniform', shape).map((d, i) =>
      checkInteger(`uniform: shape[${i}]`, d, 1, 2 ** 31 - 1),
    );
    checkInteger('uniform: seed', seed, 0, UINT32);
    checkInteger('uniform: stream', stream, 0, UINT32);
    checkFinite('uniform: low', low);
    checkFinite('uniform: high', high);
    const { core, heap, memory } = this.#engine;
    const size = sizeOf(dimensions);
    const at = heap.alloc(4 * size);
    core.gf_uniform(at, size, seed, stream, low, high);
    const data = new Float32Array(memory.buffer, at, size).slice();
    heap.free(at);
    return { data, shape: dimensions };
  }

  /** Softmax over the last dimension.
   * @template {Values} V
   * @param {V} x
   * @returns {Like<V>} */
  softmax(x) {
    const operands = { x: values('softmax: x', x) };
    return run(this.#engine, operands, (tape, { x }) => ({ y: tape.softmax(x, 'y') })).y;
  }

  /** y = x w + b
   * @template {Values} V
   * @param {V} x @param {Values} w @param {Values | null} [b]
   * @returns {Like<V>} */
  linear(x, w, b) {
    const operands = {
      x: values('linear: x', x),
      w: values('linear: w', w),
      ...(isGiven(b) && { b: values('linear: b', b) }),
    };
    return run(this.#engine, operands, (tape, { x, w, b }) => ({
      y: tape.linear(x, w, b, 'y'),
    })).y;
  }

  /** y = a b
   * @template {Values} V
   * @param {V} a @param {Values} b
   * @returns {Like<V>} */
  matmul(a, b) {
    const operands = { a: values('matmul: a', a), b: values('matmul: b', b) };
    return run(this.#engine, operands, (tape, { a, b }) => ({ y: tape.matmul(a, b, 'y') })).y;
  }

  /** y = a b^T
   * @template {Values} V
   * @param {V} a @param {Values} b
   * @returns {Like<V>} */
  matmulTransposed(a, b) {
    const operands = {
      a: values('matmulTransposed: a', a),
      b: values('matmulTransposed: b', b),
    };
    return run(this.#engine, operands, (tape, { a, b }) => ({
      y: tape.matmulTransposed(a, b, 'y'),
    })).y;
  }

  /** y = a + b, b repeated over the leading dimensions that it lacks.
   * @template {Values} V
   * @param {V} a @param {Values} b
   * @returns {Like<V>} */
  add(a, b) {
    const operands = { a: values('add: a', a), b: values('add: b', b) };
    return run(this.#engine, operands, (tape, { a, b }) => ({ y: tape.add(a, b, 'y') })).y;
  }

  /** y = factor x
   * @template {Values} V
   * @param {V} x @param {number} factor
   * @returns {Like<V>} */
  scale(x, factor) {
    const operands = { x: values('scale: x', x) };
    return run(this.#engine, operands, (tape, { x }) => ({ y: tape.scale(x, factor, 'y') })).y;
  }

  /** Makes masked scores -Infinity.
   * @template {Values} V
   * @param {V} x @param {MaskValues} options
   * @returns {Like<V>} */
  mask(x, options) {
    checkOptions('mask', options, ['causal', 'mask', 'lengths']);
    const operands = { x: values('mask: x', x), ...maskOperands('mask', options) };
    return run(this.#engine, operands, (tape, { x, mask, lengths }) => ({
      y: tape.mask(x, { causal: options.causal, mask, lengths }, 'y'),
    })).y;
  }

  /** y[i] = table[ids[i]]
   * @template {Values} V
   * @param {V} table @param {Values} rows the ids
   * @returns {LikeOfAnyRank<V>} */
  embed(table, rows) {
    const operands = { table: values('embed: table', table), ids: ids('embed: ids', rows) };
    return run(this.#engine, operands, (tape, { table, ids }) => ({
      y: tape.embed(table, ids, 'y'),
    })).y;
  }

  /** Sinusoidal position encoding.
   * @template {Values} V
   * @param {V} positions @param {number} channels
   * @returns {LikeOfAnyRank<V>} */
  position(positions, channels) {
    const operands = { positions: ids('position: positions', positions) };
    return run(this.#engine, operands, (tape, { positions }) => ({
      y: tape.position(positions, channels, 'y'),
    })).y;
  }

  /** [...,T,H*D] -> [...,H,T,D]
   * @template {Values} V
   * @param {V} x @param {number} heads
   * @returns {LikeOfAnyRank<V>} */
  splitHeads(x, heads) {
    const operands = { x: values('splitHeads: x', x) };
    return run(this.#engine, operands, (tape, { x }) => ({
      y: tape.splitHeads(x, heads, 'y'),
    })).y;
  }

  /** [...,H,T,D] -> [...,T,H*D]
   * @template {Values} V
   * @param {V} x
   * @returns {LikeOfAnyRank<V>} */
  concatHeads(x) {
    const operands = { x: values('concatHeads: x', x) };
    return run(this.#engine, operands, (tape, { x }) => ({
      y: tape.concatHeads(x, 'y'),
    })).y;
  }

  /** Scaled dot-product attention on queries, keys and values that are projected already.
   * @template {Values} V
   * @param {{ q: V, k: Values, v: Values, heads?: number, scale?: number } & MaskValues} options
   *   q [Tq,H*D], k [Tk,H*D], v [Tk,H*Dv], or with a batch [B,...] in front
   * @returns {{ output: Like<V>, weights: LikeOfAnyRank<V>, scores: LikeOfAnyRank<V> }} */
  attention(options) {
    const known = ['q', 'k', 'v', 'heads', 'causal', 'mask', 'lengths', 'scale'];
    checkOptions('attention', options, known);
    const { heads, causal, scale } = options;
    const operands = {
      query: values('attention: q', options.q),
      key: values('attention: k', options.k),
      value: values('attention: v', options.v),
      ...maskOperands('attention', options),
    };
    return run(this.#engine, operands, (tape, { query, key, value, mask, lengths }) => ({
      output: tape.attention({ query, key, value, heads, causal, mask, lengths, scale }),
      weights: tape.find('weights'),
      scores: tape.find('scores'),
    }));
  }
}
