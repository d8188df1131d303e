// The core with fused multiply-add, against the one whose bits are the same everywhere.

import { load } from '../../../bindings/models/relaxed/index.js';
import { tape } from '../players/ours.js';
import { uniform } from './numbers.js';

/** @typedef {import('../rounds.js').Workload} Workload */
/** @typedef {import('../players/ours.js').Glassformer} Glassformer */

const HEADS = 8;

/** @param {string} name @param {number} work @param {number} bar
 * @param {(core: Glassformer, given: (shape: number[], stream: number) => { data: Float32Array, shape: number[] }) => ReturnType<typeof tape>} make
 * @returns {Workload} */
const workload = (name, work, bar, make) => ({
  name: `relaxed: ${name}`,
  work,
  unit: 'FLOP',
  bars: { exact: bar },
  tolerance: 1e-4,

  async players(gf) {
    const relaxed = await load();
    const given = (/** @type {number[]} */ shape, /** @type {number} */ stream) =>
      uniform(gf, shape, stream);
    return { ours: () => make(relaxed, given), exact: () => make(gf, given) };
  },
});

/** @param {number} m @param {number} k @param {number} n @param {number} bar */
const product = (m, k, n, bar) =>
  workload(`matmul ${m}x${k}x${n}`, 2 * m * k * n, bar, (core, given) => {
    const x = given([m, k], 0);
    const w = given([k, n], 1);
    return tape(core, { x, w }, (t) =>
      t.linear(t.input('x', x.shape), t.parameter('w', w.shape), null, 'y'),
    );
  });

/** @param {number} n @param {number} width of all heads */
const attention = (n, width) =>
  workload(`attention ${HEADS} heads, ${n} tokens`, 4 * n * n * width, 1.3, (core, given) => {
    const [q, k, v] = [0, 1, 2].map((stream) => given([1, n, width], stream));
    return tape(
      core,
      { q, k, v },
      (t) => {
        const [query, key, value] = ['q', 'k', 'v'].map((name) => t.input(name, q.shape));
        return t.attention({ query, key, value, heads: HEADS, fused: true });
      },
      { reuse: true },
    );
  });

/* One row reads a matrix once, and has the same operations. */
export const relaxed = [
  product(240, 240, 240, 1.3),
  product(480, 512, 512, 1.3),
  attention(512, 512),
  product(1, 1024, 1024, 0.9),
];
