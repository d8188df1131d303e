// How attention of one head grows with the number of tokens: in time as n², in memory as n.

import { tape } from '../players/ours.js';
import { uniform } from './numbers.js';

/** @typedef {import('../rounds.js').Workload} Workload */
/** @typedef {import('../figures.js').Figures} Figures */
/** @typedef {import('../../../bindings/js/glassformer.js').Glassformer} Glassformer */

const WIDTH = 64;
const SIZES = [4096, 2048, 1024, 512];
const [MOST, LEAST] = [Math.max(...SIZES), Math.min(...SIZES)];

/** @param {Glassformer} gf @param {number} n */
function attention(gf, n) {
  const [q, k, v] = [0, 1, 2].map((stream) => uniform(gf, [n, WIDTH], stream));
  return tape(
    gf,
    { q, k, v },
    (t) => {
      const [query, key, value] = ['q', 'k', 'v'].map((name) => t.input(name, [n, WIDTH]));
      return t.attention({ query, key, value, fused: true });
    },
    { reuse: true },
  );
}

/** @type {Workload} */
export const time = {
  name: `attention from ${LEAST} to ${MOST} tokens: time`,
  work: 4 * MOST * MOST * WIDTH,
  unit: 'FLOP',
  bars: { [`n=${LEAST}`]: 0.9 },

  players: (gf) =>
    Object.fromEntries(
      SIZES.map((n) => [
        `n=${n}`,
        () => ({ ...attention(gf, n), result: undefined, work: 4 * n * n * WIDTH }),
      ]),
    ),
};

/** @type {Figures} */
export const memory = {
  name: `attention from ${LEAST} to ${MOST} tokens: memory`,
  figures(gf) {
    const bytes = (/** @type {number} */ n) => {
      const player = attention(gf, n);
      player.dispose();
      return player.bytes;
    };
    return [
      { what: `kB, n=${LEAST}`, value: bytes(LEAST) / 1000 },
      { what: `kB, n=${MOST}`, value: bytes(MOST) / 1000 },
      { what: 'times as much', value: bytes(MOST) / bytes(LEAST), most: (1.1 * MOST) / LEAST },
    ];
  },
};
