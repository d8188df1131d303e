// Along an axis: the log of a sum of powers, norms, the largest.

import { checkBoolean, checkInteger, checkOptions, checkReal, rangeError } from '../base/errors.js';
import { INT32, isGiven, sizeOf } from '../base/values.js';
import { alongAxis, atTheEnd, broadcast, checkAxis, permute, reshape } from './layout.js';
import { MAX_FLOAT32 } from './numbers.js';
import { answer, values } from './read.js';
import { call, run } from './run.js';

/** @typedef {import('../runtime/engine.js').Engine} Engine */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */
/** @typedef {import('../tape/tape.js').Tape} Tape */
/** @typedef {import('../base/values.js').Values} Values */
/** @typedef {import('./read.js').Operand} Operand */
/** @template V @typedef {import('./forms.js').Like<V>} Like */
/** @template V @typedef {import('./forms.js').LikeIds<V>} LikeIds */
/** @template V @template A @template K @typedef {import('./forms.js').Summed<V, A, K>} Summed */

/** @typedef {{ axis?: number, epsilon?: number }} NormOptions normalises over the axes from `axis`
 *   (the last by default) to the end; epsilon is 1e-5 by default */

/** What a norm works on: x as rows of all the axes from one on, and gain or bias for them.
 * @param {string} where @param {Operand} x @param {NormOptions} options */
function normRows(where, x, options) {
  checkOptions(where, options, ['axis', 'epsilon']);
  const { axis = -1, epsilon = 1e-5 } = options;
  const first = checkAxis(where, axis, x.shape.length);
  const [lead, inner] = [x.shape.slice(0, first), x.shape.slice(first)];
  const [rows, width] = [sizeOf(lead), sizeOf(inner)];
  return {
    epsilon: checkReal(`${where}: epsilon`, epsilon, 0, MAX_FLOAT32),
    lead,
    rank: inner.length,
    x: reshape(x, [rows, width]),
    /** @param {string} name @param {Values | null | undefined} input */
    parameter(name, input) {
      if (!isGiven(input)) return null;
      const place = `${where}: ${name}`;
      return reshape(broadcast(place, values(place, input), inner), [width]);
    },
  };
}

/** @param {string} where @param {unknown} axis @param {readonly number[]} shape */
function checkAxes(where, axis, shape) {
  const rank = shape.length;
  if (axis === undefined) return Array.from({ length: rank }, (_, i) => i);
  const axes = [axis].flat().map((one) => checkAxis(where, one, rank));
  if (new Set(axes).size === axes.length) return axes;
  throw rangeError('axesOnce', { where: `${where}: axis`, shape, axes });
}

/** The k best of each row, and their places.
 * @param {Tape} tape @param {Record<string, Tensor>} leaves
 * @param {{ k: number, largest: boolean }} attributes */
function rank(tape, { x }, { k, largest }) {
  const from = largest ? x : tape.scale(x, -1, 'negative');
  const ranked = tape.topK(from, k, 'ranked');
  return {
    values: largest ? ranked : tape.scale(ranked, -1, 'values'),
    indices: tape.topKIds(from, k, 'indices'),
  };
}

/** @param {Engine} engine */
export const rows = (engine) => ({
  /** log of the sum of e^x over one axis, several, or all by default. Of nothing it is -Infinity.
   * @template {Values} V
   * @template {number | readonly number[] | undefined} [A=undefined]
   * @template {boolean} [K=false]
   * @param {V} x @param {{ axis?: A, keepDims?: K }} [options]
   * @returns {Summed<V, A, K>}
   * @example
   * gf.logSumExp([[0, 0], [1, 1]], { axis: 1 }); // = [0.6931, 1.6931] */
  logSumExp(x, options = {}) {
    checkOptions('logSumExp', options, ['axis', 'keepDims']);
    const { axis, keepDims = false } = options;
    checkBoolean('logSumExp: keepDims', keepDims);
    const array = values('logSumExp: x', x);
    const rank = array.shape.length;
    const axes = checkAxes('logSumExp', axis, array.shape);
    const moved = permute(array, atTheEnd(rank, axes));
    const kept = moved.shape.slice(0, rank - axes.length);
    const shape = keepDims ? array.shape.map((d, i) => (axes.includes(i) ? 1 : d)) : kept;
    const width = sizeOf(axes.map((axis) => array.shape[axis]));
    if (!width || !sizeOf(kept)) {
      return answer(array, {
        data: new Float32Array(sizeOf(shape)).fill(Number.NEGATIVE_INFINITY),
        shape,
      });
    }
    /* max x - max log softmax x = max x - (max x - log sum e^x) */
    const { max, y } = run(
      engine,
      'logSumExp',
      { x: reshape(moved, [sizeOf(kept), width]) },
      {},
      (tape, { x }) => {
        const max = tape.topK(x, 1, 'max');
        const least = tape.topK(tape.logSoftmax(x, 'log_softmax'), 1, 'least');
        return { max, y: tape.add(max, tape.scale(least, -1, 'rest'), 'y') };
      },
    );
    const data = y.data.map((value, i) => (Number.isFinite(max.data[i]) ? value : max.data[i]));
    return answer(array, { data, shape });
  },

  /** Mean 0 and variance 1, then scaled and shifted; gain and bias have the shape of the axes that
   * are normalised, or repeat to it.
   * @template {Values} V
   * @param {V} x @param {Values | null} [gain] @param {Values | null} [bias]
   * @param {NormOptions} [options]
   * @returns {Like<V>}
   * @example
   * gf.layerNorm([[1, 2, 3]], [1, 1, 1], [0, 0, 1]); // = [[-1.2247, 0, 2.2247]] */
  layerNorm(x, gain, bias, options = {}) {
    const array = values('layerNorm: x', x);
    const { epsilon, parameter, ...norm } = normRows('layerNorm', array, options);
    const operands = {
      x: norm.x,
      gain: parameter('gain', gain),
      bias: parameter('bias', bias),
    };
    return answer(array, reshape(call(engine, 'layerNorm', operands, epsilon), array.shape));
  },

  /** What layerNorm takes off and multiplies by: means, and 1 / sqrt(variance + epsilon). The axes
   * that are normalised stay as dimensions of 1.
   * @template {Values} V
   * @param {V} x @param {NormOptions} [options]
   * @returns {{ mean: Like<V>, invStdDev: Like<V> }}
   * @example
   * const { mean, invStdDev } = gf.moments([[1, 2, 3]]);
   * mean; // = [[2]]
   * invStdDev; // = [[1.2247]] */
  moments(x, options = {}) {
    const array = values('moments: x', x);
    const { epsilon, lead, rank, x: rows } = normRows('moments', array, options);
    const [count, width] = rows.shape;
    checkInteger('moments: width', width, 1, INT32);
    const shape = [...lead, ...Array(rank).fill(1)];
    const [mean, invStdDev] = [new Float32Array(count), new Float32Array(count)];
    for (let i = 0; i < count; i++) {
      const row = [...rows.data.subarray(i * width, (i + 1) * width)];
      const center = row.reduce((sum, value) => sum + value, 0) / width;
      const variance = row.reduce((sum, value) => sum + (value - center) ** 2, 0) / width;
      mean[i] = center;
      invStdDev[i] = 1 / Math.sqrt(variance + epsilon);
    }
    return {
      mean: answer(array, { data: mean, shape }),
      invStdDev: answer(array, { data: invStdDev, shape }),
    };
  },

  /** Divided by the root of the mean square, then scaled.
   * @template {Values} V
   * @param {V} x @param {Values | null} [gain] @param {NormOptions} [options]
   * @returns {Like<V>}
   * @example
   * gf.rmsNorm([[3, 4]], null); // = [[0.8485, 1.1314]] */
  rmsNorm(x, gain, options = {}) {
    const array = values('rmsNorm: x', x);
    const { epsilon, parameter, ...norm } = normRows('rmsNorm', array, options);
    const operands = { x: norm.x, gain: parameter('gain', gain) };
    return answer(array, reshape(call(engine, 'rmsNorm', operands, epsilon), array.shape));
  },

  /** The k largest along an axis, or the smallest, best first, with their indices; of equal numbers
   * the leftmost comes first.
   * @template {Values} V
   * @param {V} x @param {number} k
   * @param {{ axis?: number, largest?: boolean }} [options] axis -1, largest true by default
   * @returns {{ values: Like<V>, indices: LikeIds<V> }}
   * @example
   * const { values, indices } = gf.topK([0.1, 0.7, 0.2], 2);
   * values; // = [0.7, 0.2]
   * indices; // = [1, 2] */
  topK(x, k, options = {}) {
    checkOptions('topK', options, ['axis', 'largest']);
    const { axis = -1, largest = true } = options;
    checkBoolean('topK: largest', largest);
    const array = values('topK: x', x);
    const { rows, back } = alongAxis(array, checkAxis('topK', axis, array.shape.length));
    checkInteger('topK: k', k, 1, Math.max(1, rows.shape[1]));
    const results = run(engine, 'topK', { x: rows }, { k, largest }, rank);
    return {
      values: answer(array, back(results.values)),
      indices: answer(array, back(results.indices)),
    };
  },
});
