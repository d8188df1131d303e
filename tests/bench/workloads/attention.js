// Scaled dot-product attention of several heads; q, k and v are given, the heads side by side.

import { native } from '../players/native.js';
import { onnx } from '../players/ort.js';
import { tape } from '../players/ours.js';
import { tf, tfjs } from '../players/tfjs.js';
import { uniform } from './numbers.js';
import { Layers } from './onnx-layers.js';

/** @typedef {import('../rounds.js').Workload} Workload */
/** @typedef {import('@tensorflow/tfjs').Tensor} Tensor */

const HEADS = 12;
const WIDTH = 64;
const CHANNELS = HEADS * WIDTH;

/** @param {number} n */
function graph(n) {
  const g = new Layers({ heads: HEADS, width: WIDTH });
  const [q, k, v] = ['q', 'k', 'v'].map((name) => g.split(g.input(name, [1, n, CHANNELS])));
  g.output(g.attend(q, k, v), [1, n, CHANNELS]);
  return g;
}

/** [1,T,C] -> [H,T,D] @param {Tensor} x */
const split = (x) => tf.transpose(tf.reshape(x, [-1, HEADS, WIDTH]), [1, 0, 2]);

/** [H,T,D] -> [1,T,C] @param {Tensor} x */
const join = (x) => tf.reshape(tf.transpose(x, [1, 0, 2]), [1, -1, CHANNELS]);

/** As the functions suggest it: all heads at once. @param {Record<string, Tensor>} given */
function allHeads({ q, k, v }) {
  const scores = tf.matMul(split(q), split(k), false, true);
  return join(tf.matMul(tf.softmax(tf.mul(scores, 1 / Math.sqrt(WIDTH))), split(v)));
}

/** The backend's fast kernel takes two matrices, neither of which it has to transpose.
 * @param {Record<string, Tensor>} given */
function headByHead({ q, k, v }) {
  const [qs, ks, vs] = [q, k, v].map((x) => tf.unstack(split(x)));
  const mixes = qs.map((head, i) => {
    const scores = tf.matMul(head, tf.transpose(ks[i]));
    return tf.matMul(tf.softmax(tf.mul(scores, 1 / Math.sqrt(WIDTH))), vs[i]);
  });
  return join(tf.stack(mixes));
}

/** @param {number} n
 * @returns {Workload} */
const workload = (n) => ({
  name: `attention ${HEADS} heads, ${n} tokens`,
  work: 4 * n * n * CHANNELS,
  unit: 'FLOP',
  bars: { native: 0.85, 'onnxruntime-web': 1.5, 'tfjs-wasm': 12 },
  tolerance: 1e-5,

  players(gf) {
    const [q, k, v] = [0, 1, 2].map((stream) => uniform(gf, [1, n, CHANNELS], stream));
    const given = { q, k, v };
    /** Unlike what others compute: work of its own, and a result that is not compared. */
    const causal = { result: undefined, work: 2 * n * (n + 1) * CHANNELS };
    const ours = (/** @type {object} */ options, reuse = true) =>
      tape(
        gf,
        given,
        (t) => {
          const [query, key, value] = Object.keys(given).map((name) => t.input(name, q.shape));
          return t.attention({ query, key, value, heads: HEADS, ...options });
        },
        { reuse },
      );
    const theirs = (/** @type {typeof allHeads} */ attend) => {
      const tensors = Object.entries(given).map(([x, { data }]) => [x, tf.tensor(data, q.shape)]);
      return tfjs(Object.fromEntries(tensors), attend);
    };
    return {
      ours: () => ours({ fused: true }),
      'ours, causal': () => ({ ...ours({ fused: true, causal: true }), ...causal }),
      'ours, steps': () => ours({}, false),
      native: () => native('attention', n, HEADS, WIDTH),
      'onnxruntime-web': () => onnx(graph(n), given),
      'tfjs-wasm': () => theirs(allHeads),
      'tfjs-wasm, head by head': () => theirs(headByHead),
    };
  },
});

export const attention = [512, 1024].map(workload);
