// The header of GGUF: what is read of it, and how wrong ones are refused, before anything else is read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GlassformerError } from '../../bindings/js/base/errors.js';
import { readGguf } from '../../bindings/models/formats/gguf.js';
import { openSource } from '../../bindings/models/formats/source.js';
import { BOOL, F32, gguf, I32, STRING, U32, U64 } from '../support/gguf.js';

const read = async (bytes) => readGguf(await openSource('test', bytes));

const METADATA = {
  'general.architecture': [STRING, 'llama'],
  'a.number': [U32, 7],
  'a.large': [U64, 2n ** 40n],
  'a.real': [F32, 0.5],
  'a.flag': [BOOL, 1],
  'some.numbers': [[I32], [-1, 0, 1]],
  'some.texts': [[STRING], ['a', 'héllo', '']],
};
const TENSORS = [
  ['a', 'F32', [2, 3], new Uint8Array(24)],
  ['b', 'Q4_0', [2, 64], new Uint8Array(72)],
  ['c', 'F16', [5], new Uint8Array(10)],
];

test('metadata and tensors are what the writer was given', async () => {
  for (const version of [2, 3]) {
    const file = gguf(METADATA, TENSORS, { version });
    const { metadata, tensors } = await read(file);
    assert.deepEqual(
      [...metadata].map(([key, value]) => [key, ArrayBuffer.isView(value) ? [...value] : value]),
      [
        ['general.architecture', 'llama'],
        ['a.number', 7],
        ['a.large', 2 ** 40],
        ['a.real', 0.5],
        ['a.flag', true],
        ['some.numbers', [-1, 0, 1]],
        ['some.texts', ['a', 'héllo', '']],
      ],
    );
    const { begin } = tensors.get('a');
    assert.equal(begin % 32, 0);
    assert.equal(file.length, begin + 32 + 96 + 32);
    assert.deepEqual(
      [...tensors],
      [
        ['a', { dtype: 'F32', shape: [2, 3], begin, end: begin + 24 }],
        ['b', { dtype: 'Q4_0', shape: [2, 64], begin: begin + 32, end: begin + 104 }],
        ['c', { dtype: 'F16', shape: [5], begin: begin + 128, end: begin + 138 }],
      ],
    );
  }
});

test('a header longer than what is read at first is read on', async () => {
  const tokens = Array.from({ length: 200_000 }, (_, i) => `token ${i}`);
  const file = gguf({ ...METADATA, tokens: [[STRING], tokens] }, TENSORS);
  assert.ok(file.length > 2 ** 21);
  const { metadata, tensors } = await read(file);
  assert.deepEqual(metadata.get('tokens'), tokens);
  assert.equal(tensors.size, 3);
});

test('tensors begin at multiples of the alignment that the file says', async () => {
  const metadata = { ...METADATA, 'general.alignment': [U32, 128] };
  const { tensors } = await read(gguf(metadata, TENSORS, { alignment: 128 }));
  for (const { begin } of tensors.values()) assert.equal(begin % 128, 0);
});

/** Bytes of a file at a place replaced. */
function changed(file, at, bytes) {
  const copy = file.slice();
  copy.set(bytes, at);
  return copy;
}
const u64 = (n) => new Uint8Array(new BigUint64Array([n]).buffer);
const find = (file, text) => Buffer.from(file.buffer, file.byteOffset, file.length).indexOf(text);

const file = gguf(METADATA, TENSORS);
const twins = gguf({ 'a.x': [U32, 1], 'b.x': [U32, 1] }, []);

/** One pair whose value is an array in an array, and so on. */
function nested(depth) {
  const parts = Array.from({ length: depth }, () => [9, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]).flat();
  const key = new TextEncoder().encode('deep');
  return Uint8Array.from([
    ...file.slice(0, 8),
    ...u64(0n),
    ...u64(1n),
    ...u64(4n),
    ...key,
    9,
    0,
    0,
    0,
    ...parts,
  ]);
}

for (const [what, bytes, pattern] of [
  ['another version', changed(file, 4, [1]), /GGUF: version: .*2 to 3, received 1$/],
  ['big-endian', changed(file, 4, [0, 0, 0, 3]), /version.*little-endian/],
  ['more tensors than bytes', changed(file, 8, u64(2n ** 40n)), /tensors: .*claims 1099511627776/],
  ['more pairs than bytes', changed(file, 16, u64(2n ** 63n)), /pairs: .*9223372036854775808/],
  ['a text beyond the file', changed(file, 24, u64(10n ** 9n)), /key 0: .*claims 1000000000/],
  ['a file cut in its header', file.slice(0, 100), /header ends|more than the file can hold/],
  ['a file cut in its data', file.slice(0, -40), /tensor "c": ends at byte/],
  [
    'an unknown type of a value',
    changed(file, find(file, 'a.number') + 8, [77]),
    /"a\.number": .*77/,
  ],
  ['arrays in arrays', nested(5), /nested at most 4 deep/],
  ['arrays in arrays without end', nested(100_000), /nested at most 4 deep/],
  ['a key twice', changed(twins, find(twins, 'b.x'), [0x61]), /key "a\.x" is given twice/],
  ['a name twice', gguf(METADATA, [TENSORS[0], TENSORS[0]]), /"a": the name is given twice/],
  ['rank 0', gguf(METADATA, [['a', 'F32', [], new Uint8Array(4)]]), /rank: .*received 0/],
  [
    'rank 5',
    gguf(METADATA, [['a', 'F32', [1, 1, 1, 1, 1], new Uint8Array(4)]]),
    /rank: .*received 5/,
  ],
  [
    'an empty dimension',
    gguf(METADATA, [['a', 'F32', [0, 2], new Uint8Array(0)]]),
    /shape \[0,2\]/,
  ],
  [
    'a size beyond all',
    gguf(METADATA, [['a', 'F32', [2 ** 31, 2 ** 31], new Uint8Array(4)]]),
    /shape \[2147483648,2147483648\] is too large/,
  ],
  [
    'a type that is not read',
    gguf(METADATA, [['a', 10, [256], new Uint8Array(84)]]),
    /"a": .*Q2_K.*Q6_K/,
  ],
  ['an unknown type', gguf(METADATA, [['a', 99, [256], new Uint8Array(84)]]), /"a": .*type 99/],
  [
    'rows that no blocks fill',
    gguf(METADATA, [['a', 'Q4_0', [2, 48], new Uint8Array(54)]]),
    /Q4_0.*32.*48/,
  ],
  [
    'an odd alignment',
    gguf({ 'general.alignment': [U32, 24] }, []),
    /alignment: .*power of 2, received 24/,
  ],
  ['no alignment', gguf({ 'general.alignment': [U32, 0] }, []), /power of 2, received 0/],
  [
    'a tensor elsewhere',
    gguf(METADATA, TENSORS, { alignment: 64 }),
    /"b": begins at byte 64 of the data, expected 32/,
  ],
]) {
  test(`refused: ${what}`, async () => {
    await assert.rejects(read(bytes), (error) => {
      assert.ok(error instanceof GlassformerError, error.stack);
      assert.equal(error.code, 'GF_EFILE');
      assert.match(error.message, /^GGUF: /);
      assert.match(error.message, pattern);
      return true;
    });
  });
}
