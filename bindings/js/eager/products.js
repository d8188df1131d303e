// Products of matrices.

import { checkBoolean, checkFinite, readOptions } from '../base/errors.js';
import { isGiven, sizeOf } from '../base/values.js';
import { broadcast, common, reshape, unfit } from './layout.js';
import { answer, values, valuesOrNumber } from './read.js';
import { apply, call, run } from './run.js';

/** @typedef {import('../runtime/engine.js').Engine} Engine */
/** @typedef {import('../base/values.js').Values} Values */
/** @template V @typedef {import('./forms.js').Like<V>} Like */
/** @template A @template B @typedef {import('./forms.js').Multiplied<A, B>} Multiplied */

/**
 * @typedef {object} GemmOptions
 * @property {number} [alpha] 1 by default
 * @property {number} [beta] 1 by default
 * @property {boolean} [transA] a is [K,M]
 * @property {boolean} [transB] b is [N,K]
 */

/** @type {Record<string, import('../base/errors.js').Rule>} */
const GEMM = {
  alpha: [checkFinite],
  beta: [checkFinite],
  transA: [checkBoolean],
  transB: [checkBoolean],
};

/** @param {import('../tape/tape.js').Tape} tape
 * @param {Record<string, import('../tape/tensor.js').Tensor>} leaves
 * @param {Required<GemmOptions>} attributes */
function buildGemm(tape, { a, b, c }, { alpha, beta, transA, transB }) {
  const left = transA ? tape.transpose(a, [1, 0], 'a.transposed') : a;
  const product = transB
    ? tape.matmulTransposed(left, b, 'product')
    : tape.matmul(left, b, 'product');
  const scaled = tape.scale(product, alpha, 'product.scaled');
  return { y: c ? tape.add(scaled, tape.scale(c, beta, 'c.scaled'), 'y') : scaled };
}

/** @param {Engine} engine */
export const products = (engine) => ({
  /** x w + b, w being [in,out].
   * @template {Values} V
   * @param {V} x @param {Values} w @param {Values | null} [b]
   * @returns {Like<V>}
   * @example
   * gf.linear([[1, 2]], [[1, 0], [0, 1]], [10, 20]); // = [[11, 22]] */
  linear(x, w, b) {
    const operands = {
      x: values('linear: x', x),
      w: values('linear: w', w),
      b: isGiven(b) ? values('linear: b', b) : null,
    };
    return answer(operands.x, call(engine, 'linear', operands));
  },

  /** a b as numpy has it: leading dimensions are a batch and broadcast, a vector is a row on the left
   * and a column on the right.
   * @template {Values} A
   * @template {Values} B
   * @param {A} a @param {B} b
   * @returns {Multiplied<A, B>}
   * @example
   * gf.matmul([[1, 2]], [[3], [4]]); // = [[11]] */
  matmul(a, b) {
    const [left, right] = [values('matmul: a', a), values('matmul: b', b)];
    const row = left.shape.length === 1;
    const column = right.shape.length === 1;
    const [m, k] = row ? [1, left.shape[0]] : left.shape.slice(-2);
    const [depth, n] = column ? [right.shape[0], 1] : right.shape.slice(-2);
    if (k !== depth) throw unfit('matmul', left.shape, right.shape);
    const batches = [left.shape.slice(0, -2), right.shape.slice(0, -2)];
    const batch = common('matmul', ...batches);
    const operands = {
      a: reshape(broadcast('matmul: a', reshape(left, [...batches[0], m, k]), [...batch, m, k]), [
        sizeOf(batch),
        m,
        k,
      ]),
      b: reshape(broadcast('matmul: b', reshape(right, [...batches[1], k, n]), [...batch, k, n]), [
        sizeOf(batch),
        k,
        n,
      ]),
    };
    const shape = [...batch, ...(row ? [] : [m]), ...(column ? [] : [n])];
    return answer(left, reshape(call(engine, 'matmul', operands), shape));
  },

  /** a b^T
   * @template {Values} V
   * @param {V} a @param {Values} b
   * @returns {Like<V>}
   * @example
   * gf.matmulTransposed([[1, 2]], [[3, 4]]); // = [[11]] */
  matmulTransposed: (a, b) => apply(engine, 'matmulTransposed', { a, b }),

  /** alpha a b + beta c, of two matrices and what repeats to their product.
   * @template {Values} V
   * @param {V} a @param {Values} b @param {Values | number | null} [c]
   * @param {GemmOptions} [options]
   * @returns {Like<V>}
   * @example
   * gf.gemm([[1, 2]], [[3], [4]], 10, { alpha: 2 }); // = [[32]] */
  gemm(a, b, c, options = {}) {
    const read = readOptions('gemm', options, GEMM);
    const { alpha = 1, beta = 1, transA = false, transB = false } = read;
    const [left, right] = [values('gemm: a', a), values('gemm: b', b)];
    if (left.shape.length !== 2 || right.shape.length !== 2) {
      throw unfit('gemm', left.shape, right.shape);
    }
    const shape = [left.shape[Number(transA)], right.shape[1 - Number(transB)]];
    const operands = {
      a: left,
      b: right,
      c: isGiven(c) ? broadcast('gemm: c', valuesOrNumber('gemm: c', c), shape) : null,
    };
    const { y } = run(engine, 'gemm', operands, { alpha, beta, transA, transB }, buildGemm);
    return answer(left, y);
  },
});
