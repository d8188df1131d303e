// How files store the numbers of a tensor, and what float32 each of them is. The types of blocks are those of ggml:
// so many numbers share a scale, perhaps an offset, and have a few bits each.

import { fromBfloat, fromHalf } from '../../js/formats/halves.js';

/** A tensor of a file that was not read yet.
 * @typedef {object} StoredTensor
 * @property {string} dtype a key of STORED
 * @property {number[]} shape as PyTorch has it
 * @property {number} begin in the file, in bytes
 * @property {number} end */

/** Writes the numbers of whole blocks.
 * @typedef {(bytes: Uint8Array, out: Float32Array) => void} Expand */

/** @typedef {{ block: number, bytes: number, expand: Expand }} StoredType block numbers take so many bytes */

/** Every number of half precision by its bits: made where it is first asked for.
 * @type {Float32Array} */
let halves;

/** @param {Uint8Array} bytes @param {number} start */
const half = (bytes, start) => halves[bytes[start] | (bytes[start + 1] << 8)];

/** Block after block.
 * @param {number} block @param {number} bytes
 * @param {(from: Uint8Array, at: number, out: Float32Array, to: number) => void} one
 * @returns {StoredType} */
const blocks = (block, bytes, one) => ({
  block,
  bytes,
  expand(from, out) {
    halves ??= fromHalf(Uint16Array.from({ length: 2 ** 16 }, (_, bits) => bits));
    for (let start = 0, to = 0; start < from.length; start += bytes, to += block)
      one(from, start, out, to);
  },
});

/** Numbers of 16 bits, one by one.
 * @param {(halves: Uint16Array) => Float32Array} convert
 * @returns {StoredType} */
const wide = (convert) => ({
  block: 1,
  bytes: 2,
  expand: (from, out) => out.set(convert(new Uint16Array(from.slice().buffer))),
});

/** The scale and the offset, 6 bits each, of one of the 8 parts of a block of 256.
 * @param {Uint8Array} bytes @param {number} start of 12 bytes @param {number} part */
const scaleOf = (bytes, start, part) =>
  part < 4
    ? bytes[start + part] & 63
    : (bytes[start + part + 4] & 15) | ((bytes[start + part - 4] >> 6) << 4);
/** @param {Uint8Array} bytes @param {number} start @param {number} part */
const offsetOf = (bytes, start, part) =>
  part < 4
    ? bytes[start + part + 4] & 63
    : (bytes[start + part + 4] >> 4) | ((bytes[start + part] >> 6) << 4);

/** What a float64 product and sum give is rounded once, by the array that takes it. Each scale times quant is exact.
 * @type {Readonly<Record<string, StoredType>>} */
export const STORED = Object.freeze({
  F64: {
    block: 1,
    bytes: 8,
    expand(from, out) {
      const view = new DataView(from.buffer, from.byteOffset);
      for (let i = 0; i < out.length; i++) out[i] = view.getFloat64(8 * i, true);
    },
  },
  F32: {
    block: 1,
    bytes: 4,
    expand(from, out) {
      new Uint8Array(out.buffer, out.byteOffset, from.length).set(from);
    },
  },
  F16: wide(fromHalf),
  BF16: wide(fromBfloat),
  Q8_0: blocks(32, 34, (from, start, out, to) => {
    const d = half(from, start);
    for (let i = 0; i < 32; i++) out[to + i] = d * ((from[start + 2 + i] << 24) >> 24);
  }),
  Q4_0: blocks(32, 18, (from, start, out, to) => {
    const d = half(from, start);
    for (let i = 0; i < 16; i++) {
      const q = from[start + 2 + i];
      out[to + i] = d * ((q & 15) - 8);
      out[to + 16 + i] = d * ((q >> 4) - 8);
    }
  }),
  Q4_1: blocks(32, 20, (from, start, out, to) => {
    const d = half(from, start);
    const m = half(from, start + 2);
    for (let i = 0; i < 16; i++) {
      const q = from[start + 4 + i];
      out[to + i] = d * (q & 15) + m;
      out[to + 16 + i] = d * (q >> 4) + m;
    }
  }),
  /* The fifth bits stand in a word before the quants. */
  Q5_0: blocks(32, 22, (from, start, out, to) => {
    const d = half(from, start);
    for (let i = 0; i < 16; i++) {
      const q = from[start + 6 + i];
      const low = (from[start + 2 + (i >> 3)] >> (i & 7)) & 1;
      const high = (from[start + 4 + (i >> 3)] >> (i & 7)) & 1;
      out[to + i] = d * (((q & 15) | (low << 4)) - 16);
      out[to + 16 + i] = d * (((q >> 4) | (high << 4)) - 16);
    }
  }),
  Q5_1: blocks(32, 24, (from, start, out, to) => {
    const d = half(from, start);
    const m = half(from, start + 2);
    for (let i = 0; i < 16; i++) {
      const q = from[start + 8 + i];
      const low = (from[start + 4 + (i >> 3)] >> (i & 7)) & 1;
      const high = (from[start + 6 + (i >> 3)] >> (i & 7)) & 1;
      out[to + i] = d * ((q & 15) | (low << 4)) + m;
      out[to + 16 + i] = d * ((q >> 4) | (high << 4)) + m;
    }
  }),
  /* d, m, 12 bytes of scales and offsets, then the quants: two parts of 32 share their bytes. */
  Q4_K: blocks(256, 144, (from, start, out, to) => {
    const d = half(from, start);
    const m = half(from, start + 2);
    for (let part = 0; part < 8; part++) {
      const scale = d * scaleOf(from, start + 4, part);
      const offset = m * offsetOf(from, start + 4, part);
      const quants = start + 16 + 32 * (part >> 1);
      const shift = 4 * (part & 1);
      for (let i = 0; i < 32; i++) {
        out[to + 32 * part + i] = scale * ((from[quants + i] >> shift) & 15) - offset;
      }
    }
  }),
  /* The fifth bits of all parts stand in 32 bytes before the quants. */
  Q5_K: blocks(256, 176, (from, start, out, to) => {
    const d = half(from, start);
    const m = half(from, start + 2);
    for (let part = 0; part < 8; part++) {
      const scale = d * scaleOf(from, start + 4, part);
      const offset = m * offsetOf(from, start + 4, part);
      const quants = start + 48 + 32 * (part >> 1);
      const shift = 4 * (part & 1);
      for (let i = 0; i < 32; i++) {
        const high = (from[start + 16 + i] >> part) & 1;
        const q = ((from[quants + i] >> shift) & 15) | (high << 4);
        out[to + 32 * part + i] = scale * q - offset;
      }
    }
  }),
  /* 128 bytes of low halves, 64 of high pairs, 16 scales of 8 bits, d. */
  Q6_K: blocks(256, 210, (from, start, out, to) => {
    const d = half(from, start + 208);
    for (let i = 0; i < 256; i++) {
      const side = i >> 7;
      const part = (i >> 5) & 3;
      const j = i & 31;
      const low = from[start + 64 * side + 32 * (part & 1) + j] >> (4 * (part >> 1));
      const high = from[start + 128 + 32 * side + j] >> (2 * part);
      const q = ((low & 15) | ((high & 3) << 4)) - 32;
      const scale = (from[start + 192 + (i >> 4)] << 24) >> 24;
      out[to + i] = d * scale * q;
    }
  }),
});

/** The bytes of so many numbers in whole blocks.
 * @param {string} dtype @param {number} count */
export const bytesOf = (dtype, count) => (count / STORED[dtype].block) * STORED[dtype].bytes;
