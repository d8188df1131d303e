// The native build of the same source.

import { fileURLToPath } from 'node:url';
import { child } from './child.js';

/** @typedef {import('./player.js').Player} Player */

const program = fileURLToPath(new URL('../../../build/bench-native', import.meta.url));

/** @param {string} workload one of native.c's @param {number[]} numbers
 * @returns {Promise<Player>} */
export async function native(workload, ...numbers) {
  const { ready, ...player } = await child(program, [workload, ...numbers.map(String)]);
  return { bits: Number(ready), ...player };
}
