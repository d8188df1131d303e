// What the machine gives at best, as wasm: machine.c.

import { readFileSync } from 'node:fs';
import { player } from './player.js';

const file = new URL('../../../build/bench-machine.wasm', import.meta.url);
const PAGE = 65536;

/** Turns of the loop in registers: about a millisecond. */
export const TURNS = 500_000;

async function machine() {
  const { instance } = await WebAssembly.instantiate(readFileSync(file), {});
  return /** @type {any} */ (instance.exports);
}

/** Multiplying and adding in registers. */
export async function peak() {
  const { machine_peak, machine_peak_work } = await machine();
  return player(() => machine_peak(TURNS), { work: machine_peak_work(TURNS) });
}

/** Reading so many bytes, a multiple of 128, from memory. @param {number} bytes */
export async function reading(bytes) {
  const { machine_read, memory } = await machine();
  const at = memory.grow(Math.ceil(bytes / PAGE)) * PAGE;
  /* Pages that were never written are all the same one. */
  new Float32Array(memory.buffer, at).fill(1);
  return player(() => machine_read(at, bytes / 4), { work: bytes });
}
