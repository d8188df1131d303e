// The types in which files store numbers, against the description of ggml's blocks, bit by bit.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { STORING } from '../../bindings/models/formats/quantize.js';
import { STORED } from '../../bindings/models/formats/stored.js';
import { TYPES } from '../support/gguf.js';
import { generator } from '../support/program.js';

/** Half precision as its definition has it. */
function half(bits) {
  const sign = bits >> 15 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return (
    sign * (exponent ? 1 + fraction / 1024 : fraction / 512) * 2 ** (exponent ? exponent - 15 : -15)
  );
}

/** A block as fields of bits, the lowest bit of the first byte being bit 0. */
function fields(bytes, at) {
  let all = 0n;
  for (let i = bytes.length - 1; i >= 0; i--) all = (all << 8n) | BigInt(bytes[i]);
  const bits = (first, count) =>
    Number((all >> BigInt(8 * at + first)) & ((1n << BigInt(count)) - 1n));
  return {
    bits: (byte, bit, count) => bits(8 * byte + bit, count),
    half: (byte) => half(bits(8 * byte, 16)),
    signed: (byte) => (bits(8 * byte, 8) ^ 128) - 128,
  };
}

/** Number i of a block of 32: a nibble; the first 16 are the low ones. */
const nibble = (f, from, i) => f.bits(from + (i % 16), i < 16 ? 0 : 4, 4);
/** Scale and offset of part j of 8: 6 bits each, those of the last four split. */
function scales(f, j) {
  if (j < 4) return [f.bits(4 + j, 0, 6), f.bits(8 + j, 0, 6)];
  return [
    f.bits(8 + j, 0, 4) + 16 * f.bits(j, 6, 2),
    f.bits(8 + j, 4, 4) + 16 * f.bits(4 + j, 6, 2),
  ];
}

/** What number i of a block is, as float64. */
const NAIVE = {
  F32: (_f, _i, view) => view.getFloat32(0, true),
  F16: (f) => f.half(0),
  BF16: (f) => {
    const view = new DataView(new ArrayBuffer(4));
    view.setUint32(0, f.bits(0, 0, 16) * 65536);
    return view.getFloat32(0);
  },
  Q8_0: (f, i) => f.half(0) * f.signed(2 + i),
  Q4_0: (f, i) => f.half(0) * (nibble(f, 2, i) - 8),
  Q4_1: (f, i) => f.half(0) * nibble(f, 4, i) + f.half(2),
  Q5_0: (f, i) => f.half(0) * (nibble(f, 6, i) + 16 * f.bits(2, i, 1) - 16),
  Q5_1: (f, i) => f.half(0) * (nibble(f, 8, i) + 16 * f.bits(4, i, 1)) + f.half(2),
  Q4_K(f, i) {
    const part = Math.floor(i / 32);
    const [scale, offset] = scales(f, part);
    const q = f.bits(16 + 32 * Math.floor(i / 64) + (i % 32), part % 2 ? 4 : 0, 4);
    return f.half(0) * scale * q - f.half(2) * offset;
  },
  Q5_K(f, i) {
    const part = Math.floor(i / 32);
    const [scale, offset] = scales(f, part);
    const q = f.bits(48 + 32 * Math.floor(i / 64) + (i % 32), part % 2 ? 4 : 0, 4);
    return f.half(0) * scale * (q + 16 * f.bits(16 + (i % 32), part, 1)) - f.half(2) * offset;
  },
  Q6_K(f, i) {
    const [side, rest] = [Math.floor(i / 128), i % 128];
    const low = f.bits(64 * side + (rest % 64), rest < 64 ? 0 : 4, 4);
    const high = f.bits(128 + 32 * side + (rest % 32), 2 * Math.floor(rest / 32), 2);
    return f.half(208) * f.signed(192 + Math.floor(i / 16)) * (low + 16 * high - 32);
  },
};

for (const [name, [, block, size]] of Object.entries(TYPES)) {
  test(`${name}: random blocks are what the format says`, () => {
    const random = generator(7);
    const count = 40;
    /* At an odd place: blocks need not be aligned. */
    const bytes = new Uint8Array(count * size + 1)
      .map(() => Math.floor(256 * random()))
      .subarray(1);
    const { block: numbers, bytes: taken, expand } = STORED[name];
    assert.deepEqual([numbers, taken], [block, size]);
    const out = new Float32Array(count * block);
    expand(bytes, out);
    let seen = 0;
    for (let b = 0; b < count; b++) {
      const own = bytes.subarray(b * size, (b + 1) * size);
      const f = fields(own, 0);
      const view = new DataView(own.buffer, own.byteOffset);
      for (let i = 0; i < block; i++) {
        const expected = Math.fround(NAIVE[name](f, i, view));
        assert.equal(out[b * block + i] + 0, expected + 0, `${name}: block ${b}, number ${i}`);
        if (Number.isFinite(expected) && expected !== 0) seen += 1;
      }
    }
    assert.ok(seen > (count * block) / 2, `${seen} numbers are finite`);
  });
}

test('every number of half precision is exact', () => {
  const bytes = new Uint8Array(Uint16Array.from({ length: 2 ** 16 }, (_, i) => i).buffer);
  const out = new Float32Array(2 ** 16);
  STORED.F16.expand(bytes, out);
  for (let bits = 0; bits < 2 ** 16; bits++) {
    assert.ok(
      Object.is(out[bits], half(bits)) || (Number.isNaN(out[bits]) && Number.isNaN(half(bits))),
    );
  }
});

// ---- Against llama.cpp's own package (tests/reference/quantize.py) ----

const made = JSON.parse(
  readFileSync(new URL('../reference/fixtures/quantized.json', import.meta.url), 'utf8'),
);
const bytesOf = (text) => Uint8Array.from(Buffer.from(text, 'base64'));
const floatsOf = (text) => new Float32Array(bytesOf(text).buffer);

for (const [name, { bytes, numbers }] of Object.entries(made.stored)) {
  test(`${name}: llama.cpp reads the same numbers`, () => {
    const expected = floatsOf(numbers);
    const out = new Float32Array(expected.length);
    STORED[name].expand(bytesOf(bytes), out);
    assert.deepEqual(out, expected);
  });

  if (name.endsWith('K')) continue;
  test(`${name}: llama.cpp stores the same bytes`, () => {
    const expected = bytesOf(bytes);
    const out = new Uint8Array(expected.length).fill(255);
    STORING[name](floatsOf(made.numbers), out);
    assert.deepEqual(out, expected);
  });
}

/** The squared errors of each block of 256. */
const errorsOf = (numbers, made) =>
  Array.from({ length: numbers.length / 256 }, (_, b) =>
    numbers
      .subarray(256 * b, 256 * (b + 1))
      .reduce((sum, x, i) => sum + (x - made[256 * b + i]) ** 2, 0),
  );

for (const name of ['Q4_K', 'Q5_K', 'Q6_K']) {
  test(`${name}: numbers are kept as well as by llama.cpp`, () => {
    const numbers = floatsOf(made.numbers);
    const bytes = new Uint8Array(bytesOf(made.stored[name].bytes).length).fill(255);
    STORING[name](numbers, bytes);
    const out = new Float32Array(numbers.length);
    STORED[name].expand(bytes, out);
    const [ours, theirs] = [
      errorsOf(numbers, out),
      errorsOf(numbers, floatsOf(made.stored[name].numbers)),
    ];
    for (const [b, error] of ours.entries()) {
      assert.ok(error <= 1.04 * theirs[b], `block ${b}: ${error}, and of llama.cpp ${theirs[b]}`);
    }
    const better = ours.filter((error, b) => error <= theirs[b]).length;
    assert.ok(better >= 7, `${better} of 8 blocks`);
  });
}

test('every number of half precision and of bfloat16 is stored as it is', () => {
  const halves = new Uint8Array(Uint16Array.from({ length: 2 ** 16 }, (_, i) => i).buffer);
  for (const name of ['F16', 'BF16']) {
    const numbers = new Float32Array(2 ** 16);
    STORED[name].expand(halves, numbers);
    const again = new Uint8Array(halves.length);
    STORING[name](numbers, again);
    const twice = new Float32Array(2 ** 16);
    STORED[name].expand(again, twice);
    assert.ok(
      twice.every((value, i) => Object.is(value, numbers[i])),
      name,
    );
  }
});

test('what lies halfway between two numbers of 16 bits goes to the even one', () => {
  for (const [name, digits, bits] of [
    ['F16', 10, 0x3c00],
    ['BF16', 7, 0x3f80],
  ]) {
    const step = 2 ** -digits;
    const out = new Uint8Array(8);
    STORING[name](
      Float32Array.of(1 + step / 2, 1 + 1.5 * step, 1 + step / 2 + 2 ** -20, 70000),
      out,
    );
    const [low, high, above, large] = new Uint16Array(out.buffer);
    assert.deepEqual([low, high, above], [bits, bits + 2, bits + 1]);
    assert.equal(large, name === 'F16' ? 0x7c00 : 0x4789);
  }
});
