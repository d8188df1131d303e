// One row times a matrix, as in decoding: stored in few bits, and the same numbers as float32. The rate is in bytes
// of what is stored, so that a ratio is one of times. And products in integers against exact ones, of one row and of a
// prompt.

import { load } from '../../../bindings/models.js';
import { reading } from '../players/machine.js';
import { tape } from '../players/ours.js';
import { player } from '../players/player.js';
import { uniform } from './numbers.js';

/** @typedef {import('../rounds.js').Workload} Workload */
/** @typedef {import('../../../bindings/js/stored/matrix.js').StoredType} StoredType */

const K = 1024;
const N = 32768;
const BLOCK = 32;

/** Blocks of any integers, with scales and offsets near 2^-6.
 * @param {number} bytes of a block @param {number} halves */
function blocks(bytes, halves) {
  const all = new Uint8Array((N * K * bytes) / BLOCK);
  for (let i = 0; i < all.length; i++) all[i] = (i * 2654435761) >>> 13;
  for (let at = 0; at < all.length; at += bytes) {
    for (let h = 0; h < halves; h++) all[at + 2 * h + 1] = 0x24;
  }
  return all;
}

/** Rows times a stored matrix.
 * @param {import('../../../bindings/models.js').ModelOpener} core
 * @param {import('../../../bindings/js/stored/matrix.js').StoredMatrix} matrix @param {Float32Array} x
 * @param {'exact' | 'integer'} arithmetic */
function product(core, matrix, x, arithmetic) {
  const t = core.tape();
  const w = t.parameter('w', [K, N]);
  const y = t.linear(t.input('x', [x.length / K, K]), w, null, 'y');
  t.bindStored(w, matrix, { arithmetic });
  t.plan({ reuse: true });
  t.find('x').data.set(x);
  const result = () => {
    t.forward();
    return /** @type {Float32Array} */ (y.data);
  };
  return player(() => t.forward(), { result, dispose: () => t.dispose() });
}

/** @param {number} rows @param {[StoredType, number, number]} format @param {Record<string, number>} bars
 * @returns {Workload} */
const inIntegers = (rows, [type, bytes, halves], bars) => ({
  name: `in integers: ${rows === 1 ? 'one row' : `${rows} rows`} times ${K}x${N} of ${type}`,
  work: (N * K * bytes) / BLOCK,
  unit: 'B',
  bars,
  tolerance: 1e-2,
  async players(gf) {
    const core = await load();
    const matrix = core.stored({ type, rows: N, columns: K }).put(blocks(bytes, halves));
    const x = uniform(gf, [rows, K], 0).data;
    return {
      ours: () => product(core, matrix, x, 'integer'),
      exact: () => product(core, matrix, x, 'exact'),
    };
  },
});

/** @param {[StoredType, number, number]} format type, bytes of a block, scales and offsets in it
 * @param {Record<string, number>} bars
 * @returns {Workload} */
const workload = ([type, bytes, halves], bars) => ({
  name: `decoding: one row times ${K}x${N} of ${type}`,
  work: (N * K * bytes) / BLOCK,
  unit: 'B',
  bars,

  async players(gf) {
    const core = await load();
    const matrix = core.stored({ type, rows: N, columns: K }).put(blocks(bytes, halves));
    const x = uniform(gf, [1, K], 0);
    return {
      ours: () => product(core, matrix, x.data, 'exact'),
      f32() {
        const t = core.tape();
        const table = t.parameter('table', [N, K]);
        const numbers = t.embed(table, t.ids('ids', [N]), 'numbers');
        t.bindStored(table, matrix);
        t.plan({ reuse: true });
        t.find('ids').set(Int32Array.from({ length: N }, (_, i) => i));
        t.forward();
        const { data } = numbers;
        const w = new Float32Array(K * N).map((_, i) => data[(i % N) * K + Math.floor(i / N)]);
        t.dispose();
        return tape(
          core,
          { x, w: { data: w } },
          (other) =>
            other.linear(other.input('x', [1, K]), other.parameter('w', [K, N]), null, 'y'),
          { reuse: true },
        );
      },
      read: () => reading((N * K * bytes) / BLOCK),
    };
  },
});

export const storedWeights = [
  workload(['q4_1', 20, 2], { f32: 1.1 }),
  workload(['q8_0', 34, 1], { f32: 1.1 }),
  inIntegers(1, ['q4_1', 20, 2], { exact: 2.2 }),
  inIntegers(1, ['q8_0', 34, 1], { exact: 1.6 }),
  inIntegers(64, ['q4_1', 20, 2], { exact: 1.1 }),
];
