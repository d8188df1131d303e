// The native build of the same source, in a process of its own that waits while others run.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** @typedef {import('./player.js').Player} Player */

const program = fileURLToPath(new URL('../../../build/bench-native', import.meta.url));

/** @param {string} workload one of native.c's @param {number[]} numbers
 * @returns {Promise<Player>} */
export async function native(workload, ...numbers) {
  const child = spawn(program, [workload, ...numbers.map(String)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const read = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${program} ${workload} ended`);
    return Number(value);
  };
  return {
    bits: await read(),
    async sample(count) {
      child.stdin.write(`${count}\n`);
      return (await read()) / 1e6;
    },
    async dispose() {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}
