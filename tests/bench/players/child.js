// A program that takes part in a process of its own: it writes a line once it is ready, then, for each number of runs that
// it reads, a line with the nanoseconds that they took. It waits on the pipe while others run.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** @param {string} program @param {string[]} args */
export async function child(program, args) {
  const process = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const failed = once(process, 'error').then(([error]) => Promise.reject(error));
  /* Whoever reads next is told. */
  failed.catch(() => {});
  const lines = createInterface({ input: process.stdout })[Symbol.asyncIterator]();
  const read = async () => {
    const { value, done } = await Promise.race([lines.next(), failed]);
    if (done) throw new Error(`${program} ${args[0]} ended`);
    return value;
  };
  return {
    /** The line that it wrote when it was ready. */
    ready: /** @type {string} */ (await read()),
    /** @param {number} count @returns {Promise<number>} milliseconds of so many runs */
    async sample(count) {
      process.stdin.write(`${count}\n`);
      return Number(await read()) / 1e6;
    },
    async dispose() {
      process.stdin.end();
      await once(process, 'exit');
    },
  };
}
