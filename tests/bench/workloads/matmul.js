// y = x w, with w a weight that stays; and the same of two operands that may change.

import { peak } from '../players/machine.js';
import { native } from '../players/native.js';
import { Graph } from '../players/onnx.js';
import { onnx } from '../players/ort.js';
import { tape } from '../players/ours.js';
import { tf, tfjs } from '../players/tfjs.js';
import { uniform } from './numbers.js';

/** @typedef {import('../rounds.js').Workload} Workload */

const SIZES = [
  [240, 256, 256],
  [480, 512, 512],
  [480, 2048, 512],
];

/** @param {number[]} size
 * @returns {Workload} */
const workload = ([m, k, n]) => ({
  name: `matmul ${m}x${k}x${n}`,
  work: 2 * m * k * n,
  unit: 'FLOP',
  bars: { native: 0.85, peak: 0.85, 'onnxruntime-web': 1.3, 'tfjs-wasm': 1.1 },
  tolerance: 5e-4,

  players(gf) {
    const x = uniform(gf, [m, k], 0);
    const w = uniform(gf, [k, n], 1);
    /** @param {'weight' | 'input'} kind of w */
    const graph = (kind) => {
      const g = new Graph();
      const operands = [
        g.input('x', x.shape),
        kind === 'weight' ? g.weight('w', w) : g.input('w', w.shape),
      ];
      g.output(g.node('MatMul', operands), [m, n]);
      return g;
    };
    return {
      ours: () =>
        tape(gf, { x, w }, (t) =>
          t.linear(t.input('x', x.shape), t.parameter('w', w.shape), null, 'y'),
        ),
      'ours, any w': () =>
        tape(gf, { x, w }, (t) => t.matmul(t.input('x', x.shape), t.input('w', w.shape), 'y')),
      native: () => native('matmul', m, k, n),
      peak,
      'onnxruntime-web': () => onnx(graph('weight'), { x }),
      'onnxruntime-web, any w': () => onnx(graph('input'), { x, w }),
      'tfjs-wasm': () =>
        tfjs({ x: tf.tensor(x.data, [m, k]), w: tf.tensor(w.data, [k, n]) }, (t) =>
          tf.matMul(t.x, t.w),
        ),
    };
  },
});

export const matmul = SIZES.map(workload);
