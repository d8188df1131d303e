// What the machine gives at best with vectors of four floats: what other rates are to be compared with.

import { peak, reading, TURNS } from '../players/machine.js';
import { native } from '../players/native.js';

/** @typedef {import('../rounds.js').Workload} Workload */

/** More than caches hold: as much as the weights that decoding.js reads. */
const BYTES = 4 * (4 * (4 * 768 * 768 + 2 * 768 * 3072) + 768 * 8192);

/** @type {Workload[]} */
export const machine = [
  {
    name: 'the machine: multiplying and adding in registers',
    unit: 'FLOP',
    bars: {},
    async players() {
      const wasm = await peak();
      return {
        wasm: () => wasm,
        native: async () => ({ ...(await native('peak', TURNS)), work: wasm.work }),
      };
    },
  },
  {
    name: `the machine: reading ${Math.round(BYTES / 1e6)} MB`,
    unit: 'B',
    work: BYTES,
    bars: {},
    players: () => ({ wasm: () => reading(BYTES), native: () => native('read', BYTES / 4) }),
  },
];
