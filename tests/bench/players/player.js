// What takes part in a workload. Whoever it is, it can be asked for a sample: the milliseconds that so
// many runs take.

import { now } from './clock.js';

/**
 * @typedef {object} Player
 * @property {(count: number) => Promise<number>} sample milliseconds of so many runs
 * @property {() => Float32Array | Promise<Float32Array>} [result] of a run, to be compared with ours
 * @property {number} [bits] in place of result: its hash, where it must be the same to the bit
 * @property {number} [work] of a run, where it is not the workload's
 * @property {() => unknown} [dispose]
 */

/** A player in this process.
 * @param {() => void | Promise<unknown>} run
 * @param {Omit<Player, 'sample'>} [rest]
 * @returns {Player} */
export function player(run, rest = {}) {
  return {
    async sample(count) {
      const begin = now();
      for (let i = 0; i < count; i++) {
        const promise = run();
        if (promise) await promise;
      }
      return now() - begin;
    },
    ...rest,
  };
}

/** FNV-1a with 32 bits, a step per word.
 * @param {Float32Array} data */
export function hash(data) {
  return new Uint32Array(data.buffer, data.byteOffset, data.length).reduce(
    (h, word) => Math.imul(h ^ word, 0x01000193) >>> 0,
    0x811c9dc5,
  );
}
