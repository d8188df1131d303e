import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { inflate } from '../../bindings/inflate.js';

const wasm = readFileSync(new URL('../../bindings/generated/glassformer.wasm', import.meta.url));
const source = readFileSync(new URL(import.meta.url));

/** Bytes that repeat, so that there is something to copy. */
const bytes = fc
  .array(fc.tuple(fc.uint8Array({ maxLength: 40 }), fc.nat(30)), { maxLength: 8 })
  .map((parts) => Buffer.concat(parts.flatMap(([part, times]) => Array(times + 1).fill(part))));

const same = (data, options) =>
  assert.deepEqual(Buffer.from(inflate(deflateRawSync(data, options), data.length)), data);

test('inflate gives back what zlib deflated', () => {
  for (const level of [0, 1, 6, 9]) {
    for (const strategy of [constants.Z_DEFAULT_STRATEGY, constants.Z_FIXED]) {
      for (const data of [wasm, source, Buffer.alloc(100000), Buffer.alloc(0)]) {
        same(data, { level, strategy });
      }
      fc.assert(
        fc.property(bytes, (data) => same(data, { level, strategy })),
        { numRuns: 50 },
      );
    }
  }
});

test('a stream that is cut short, or of another size, is refused', () => {
  const stream = deflateRawSync(source, { level: 9 });
  for (let end = 0; end < stream.length; end += 7) {
    assert.throws(() => inflate(stream.subarray(0, end), source.length), /the stream is cut short/);
  }
  for (const size of [source.length + 1, source.length - 1]) {
    assert.throws(() => inflate(stream, size), /the stream holds \d+ bytes, not \d+/);
  }
});

test('corrupt streams: what zlib reads reads the same, the rest ends in a RangeError', () => {
  const stream = deflateRawSync(source, { level: 9 });
  const corrupt = fc.tuple(fc.nat(stream.length - 1), fc.integer({ min: 1, max: 255 }));
  fc.assert(
    fc.property(corrupt, ([at, mask]) => {
      const broken = Buffer.from(stream);
      broken[at] ^= mask;
      let expected;
      try {
        expected = inflateRawSync(broken);
      } catch {}
      try {
        const read = inflate(broken, source.length);
        if (expected) assert.deepEqual(Buffer.from(read), expected);
      } catch (error) {
        assert.ok(error instanceof RangeError, String(error));
        if (expected) assert.notEqual(expected.length, source.length);
      }
    }),
    { numRuns: 300 },
  );
  assert.throws(() => inflate(Uint8Array.of(7), 0), /no block is of kind 3/);
  assert.throws(() => inflate(Uint8Array.of(1, 1, 0, 0, 0), 0), /a length and its complement/);
  assert.throws(() => inflate(Uint8Array.of(3, 2), 9), /before the beginning/);
});
