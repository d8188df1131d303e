// A product on two threads, against the same on one.

import { load } from '../../../bindings/models/threads/node/index.js';
import { tape } from '../players/ours.js';
import { hash } from '../players/player.js';
import { uniform } from './numbers.js';

/** @typedef {import('../rounds.js').Workload} Workload */

const THREADS = 2;

/** @param {number} n
 * @returns {Workload} */
const workload = (n) => ({
  name: `${THREADS} threads: matmul ${n}x${n}x${n}`,
  work: 2 * n ** 3,
  unit: 'FLOP',
  bars: { 'one thread': 1.8 },

  async players(gf) {
    const x = uniform(gf, [n, n], 0);
    const w = uniform(gf, [n, n], 1);
    const threaded = await load({ threads: THREADS });
    const product = (/** @type {typeof gf} */ core) =>
      tape(core, { x, w }, (t) =>
        t.linear(t.input('x', x.shape), t.parameter('w', w.shape), null, 'y'),
      );
    return {
      ours: () => {
        const { dispose, ...player } = product(threaded);
        return {
          ...player,
          dispose() {
            dispose?.();
            threaded.dispose();
          },
        };
      },
      'one thread': async () => {
        const { result, ...player } = product(gf);
        const data = await /** @type {NonNullable<typeof result>} */ (result)();
        return { ...player, bits: hash(data) };
      },
    };
  },
});

export const threads = [512, 1024].map(workload);
