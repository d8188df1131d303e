// From float32 to how files store numbers: as ggml rounds them, so that a file is what its own tools would write.

import { FIVES, FOURS, SIXES } from './quantize-parts.js';
import { bfloatOf, halfOf, put16 } from './to-halves.js';

/** Writes whole blocks. @typedef {(numbers: Float32Array, out: Uint8Array) => void} Store */

const { fround } = Math;
/** @param {(value: number) => number} convert
 * @returns {Store} */
const wide = (convert) => (numbers, out) => {
  for (let i = 0; i < numbers.length; i++) put16(out, 2 * i, convert(numbers[i]));
};

/** Blocks of 32 one after the other.
 * @param {number} bytes
 * @param {(block: Float32Array, out: Uint8Array, at: number) => void} one
 * @returns {Store} */
const blocks = (bytes, one) => (numbers, out) => {
  for (let i = 0, start = 0; i < numbers.length; i += 32, start += bytes) {
    one(numbers.subarray(i, i + 32), out, start);
  }
};

/** The number that is farthest from 0, with its sign.
 * @param {Float32Array} block */
function farthest(block) {
  let most = 0;
  let value = 0;
  for (const x of block) {
    if (Math.abs(x) <= most) continue;
    most = Math.abs(x);
    value = x;
  }
  return value;
}

/** @param {number} scale */
const inverse = (scale) => (scale ? fround(1 / scale) : 0);

/** Quants of 4 or 5 bits: nibbles, the first 16 being the low ones, and the fifth bits in a word before them.
 * @param {Uint8Array} out @param {number} start of the word, or of the nibbles if there is none @param {number} bits
 * @param {(i: number) => number} quantOf */
function putQuants(out, start, bits, quantOf) {
  const nibbles = bits === 5 ? start + 4 : start;
  if (bits === 5) out.fill(0, start, start + 4);
  for (let i = 0; i < 16; i++) {
    const [low, high] = [quantOf(i), quantOf(i + 16)];
    out[nibbles + i] = (low & 15) | ((high & 15) << 4);
    if (bits === 4) continue;
    out[start + (i >> 3)] |= (low >> 4) << (i & 7);
    out[start + 2 + (i >> 3)] |= (high >> 4) << (i & 7);
  }
}

/** Numbers around 0: the farthest one has the lowest quant. @param {4 | 5} bits */
const symmetric = (bits) => {
  const half = 2 ** (bits - 1);
  return blocks(2 + (bits - 4) * 4 + 16, (block, out, start) => {
    const scale = fround(farthest(block) / -half);
    const factor = inverse(scale);
    put16(out, start, halfOf(scale));
    putQuants(out, start + 2, bits, (i) =>
      Math.min(2 * half - 1, Math.trunc(fround(fround(block[i] * factor) + half + 0.5))),
    );
  });
};

/** Numbers from the least one on. @param {4 | 5} bits */
const offset = (bits) => {
  const most = 2 ** bits - 1;
  return blocks(4 + (bits - 4) * 4 + 16, (block, out, start) => {
    const least = block.reduce((a, b) => Math.min(a, b));
    const scale = fround(fround(block.reduce((a, b) => Math.max(a, b)) - least) / most);
    const factor = inverse(scale);
    put16(out, start, halfOf(scale));
    put16(out, start + 2, halfOf(least));
    putQuants(out, start + 4, bits, (i) =>
      Math.min(most, Math.trunc(fround(fround(fround(block[i] - least) * factor) + 0.5))),
    );
  });
};

/** The types that numbers can be stored in.
 * @type {Readonly<Record<string, Store>>} */
export const STORING = Object.freeze({
  F32(numbers, out) {
    out.set(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength));
  },
  F16: wide(halfOf),
  BF16: wide(bfloatOf),
  Q8_0: blocks(34, (block, out, start) => {
    const scale = fround(Math.abs(farthest(block)) / 127);
    const factor = inverse(scale);
    put16(out, start, halfOf(scale));
    for (let i = 0; i < 32; i++) {
      const x = fround(block[i] * factor);
      /* Halves away from 0. */
      out[start + 2 + i] = Math.sign(x) * Math.floor(Math.abs(x) + 0.5);
    }
  }),
  Q4_0: symmetric(4),
  Q4_1: offset(4),
  Q5_0: symmetric(5),
  Q5_1: offset(5),
  Q4_K: FOURS,
  Q5_K: FIVES,
  Q6_K: SIXES,
});
