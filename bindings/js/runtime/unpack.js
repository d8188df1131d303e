// Unpacks the core, which is inlined as LZMA.

import { unpack } from '../../generated/unpack.js';
import { compile } from './engine.js';

/** @typedef {{ size: number, base64: string }} Packed */

/** Unpacked cores, for the next load.
 * @type {WeakMap<Packed, Uint8Array<ArrayBuffer>>} */
const cache = new WeakMap();

/** @param {string} base64 */
function bytesOf(base64) {
  const text = atob(base64);
  return new Uint8Array(text.length).map((_, i) => text.charCodeAt(i));
}

/** @param {Packed} packed
 * @returns {Promise<import('../formats/safetensors.js').Bytes>} */
export async function unpacked(packed) {
  const cached = cache.get(packed);
  if (cached) return cached;
  const { exports } = await WebAssembly.instantiate(await compile({ bytes: bytesOf(unpack) }));
  const { memory, input, output } = /** @type {any} */ (exports);
  new Uint8Array(memory.buffer, input()).set(bytesOf(packed.base64));
  const bytes = new Uint8Array(memory.buffer, output(packed.size), packed.size).slice();
  cache.set(packed, bytes);
  return bytes;
}
