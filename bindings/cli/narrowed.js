// Numbers in fewer bits, and whether they are still the same numbers.

import { STORING } from '../models/formats/quantize.js';
import { STORED } from '../models/formats/stored.js';
import { Failure } from './usage.js';

/** Types of 16 bits, by the names that PyTorch and config.json have for them. */
export const HALVES = Object.freeze({ f16: 'float16', bf16: 'bfloat16' });

/** Refuses numbers that are not the same once they are stored: NaN and infinities in blocks, and what is too large.
 * @param {Float32Array} numbers @param {Uint8Array} bytes @param {string} dtype @param {string} name */
export function checkKept(numbers, bytes, dtype, name) {
  const again = new Float32Array(numbers.length);
  STORED[dtype].expand(bytes, again);
  const lost = numbers.findIndex((x, i) =>
    Number.isFinite(x) ? !Number.isFinite(again[i]) : !Object.is(x, again[i]),
  );
  if (lost < 0) return;
  /* An infinity takes its whole block with it. */
  const cause = numbers.find((x) => !Number.isFinite(x)) ?? numbers[lost];
  throw new Failure(`${name} has the number ${cause}, which ${dtype} cannot store`);
}

/** A safetensors of float32 with its numbers in 16 bits: the nearest ones. Readers expand them again.
 * @param {Uint8Array} bytes as writeSafetensors gives them @param {keyof typeof HALVES} type
 * @returns {Uint8Array} */
export function narrowed(bytes, type) {
  const dtype = type.toUpperCase();
  const begin = 8 + Number(new DataView(bytes.buffer).getBigUint64(0, true));
  const said = JSON.parse(new TextDecoder().decode(bytes.subarray(8, begin)));
  const numbers = new Uint8Array((bytes.length - begin) / 2);
  for (const [name, tensor] of Object.entries(said)) {
    if (!tensor.data_offsets) continue;
    const [from, to] = tensor.data_offsets;
    const wide = new Float32Array(bytes.buffer, begin + from, (to - from) / 4);
    const stored = numbers.subarray(from / 2, to / 2);
    STORING[dtype](wide, stored);
    checkKept(wide, stored, dtype, name);
    Object.assign(tensor, { dtype, data_offsets: [from / 2, to / 2] });
  }
  const text = JSON.stringify(said);
  const header = new TextEncoder().encode(text.padEnd(text.length + 7));
  const length = header.length - (header.length % 8);
  const file = new Uint8Array(8 + length + numbers.length);
  new DataView(file.buffer).setBigUint64(0, BigInt(length), true);
  file.set(header.subarray(0, length), 8);
  file.set(numbers, 8 + length);
  return file;
}
