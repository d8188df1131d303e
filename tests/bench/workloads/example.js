// The worked example "I love robotics", prepared and called. Prepared: ours computes every step from x on and leaves it
// to be read, the others go from q, k and v to the output. Called: arrays of numbers in, arrays of numbers out.

import { examples } from '../../../bindings/index.js';
import { Graph } from '../players/onnx.js';
import { onnx } from '../players/ort.js';
import { tape } from '../players/ours.js';
import { player } from '../players/player.js';
import { tf, tfjs } from '../players/tfjs.js';

/** @typedef {import('../rounds.js').Workload} Workload */

const { inputs } = examples['i-love-robotics'];
const N = 3;

/** A matrix of the example, or one made of it. @param {number[][]} rows */
const matrix = (rows) => ({
  data: Float32Array.from(rows.flat()),
  shape: [rows.length, rows[0].length],
});

/** The scale is in q already, the keys are columns. */
function graph() {
  const g = new Graph();
  const [q, k, v] = ['q', 'k', 'v'].map((name) => g.input(name, [N, N]));
  const weights = g.node('Softmax', [g.node('MatMul', [q, k])], { axis: -1 });
  g.output(g.node('MatMul', [weights, v]), [N, N]);
  return g;
}

/** The example's rows of q, k and v. @param {import('../../../bindings/js/glassformer.js').Glassformer} gf */
function rowsOf(gf) {
  const { x, w_q, w_k, w_v } = /** @type {Record<string, number[][]>} */ (inputs);
  const [q, k, v] = [w_q, w_k, w_v].map((w) => gf.matmul(x, w));
  return { q, k, v };
}

/** @type {Workload} */
const prepared = {
  name: 'i-love-robotics',
  work: 6 * N * 4 * N + 4 * N * N * N,
  unit: 'FLOP',
  bars: { 'onnxruntime-web': 10, 'tfjs-wasm': 10 },
  tolerance: 1e-5,

  players(gf) {
    const { x, w_q, w_k, w_v } = /** @type {Record<string, number[][]>} */ (inputs);
    const leaves = { x, w_q, w_k, w_v };
    const given = Object.fromEntries(
      Object.entries(leaves).map(([name, rows]) => [name, matrix(rows)]),
    );
    const rows = rowsOf(gf);
    const q = matrix(gf.scale(rows.q, 1 / Math.sqrt(N)));
    const k = matrix(gf.transpose(rows.k));
    const v = matrix(rows.v);
    return {
      ours: () =>
        tape(gf, given, (t) => {
          const [x, wQ, wK, wV] = Object.entries(given).map(([name, { shape }]) =>
            t.input(name, shape),
          );
          return t.attention({ query: x, key: x, value: x, wQ, wK, wV });
        }),
      'onnxruntime-web': () => onnx(graph(), { q, k, v }),
      'tfjs-wasm': () =>
        tfjs(
          Object.fromEntries(
            Object.entries({ q, k, v }).map(([name, m]) => [name, tf.tensor(m.data, m.shape)]),
          ),
          ({ q, k, v }) => tf.matMul(tf.softmax(tf.matMul(q, k)), v),
        ),
    };
  },
};

/** @type {Workload} */
const called = {
  name: 'i-love-robotics, called',
  work: 4 * N * N * N,
  unit: 'FLOP',
  bars: { 'tfjs-wasm': 1 },
  tolerance: 1e-5,

  players(gf) {
    const { q, k, v } = rowsOf(gf);
    return {
      ours: () => {
        const call = () => gf.attention({ q, k, v }).output;
        return player(() => void call(), { result: () => Float32Array.from(call().flat()) });
      },
      'tfjs-wasm': () => {
        const call = () =>
          tf.tidy(() => {
            const scores = tf.matMul(tf.tensor(q), tf.tensor(k), false, true);
            const weights = tf.softmax(tf.mul(scores, 1 / Math.sqrt(N)));
            return /** @type {number[][]} */ (tf.matMul(weights, tf.tensor(v)).arraySync());
          });
        return player(() => void call(), { result: () => Float32Array.from(call().flat()) });
      },
    };
  },
};

export const example = [prepared, called];
