import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { packed } from '../../bindings/generated/simd.js';
import { unpacked } from '../../bindings/js/runtime/unpack.js';

const HEADER = 13;
const source = readFileSync(new URL(import.meta.url));

/** What xz packs as the build does. */
function pack(data) {
  const flags = ['--format=lzma', '--lzma1=preset=9e,lc=3,lp=0,pb=0', '--stdout'];
  const file = execFileSync('xz', flags, { input: data });
  return { size: data.length, base64: file.subarray(HEADER).toString('base64') };
}

const same = async (data) => assert.deepEqual(Buffer.from(await unpacked(pack(data))), data);

/** Bytes that repeat, so that there is something to copy: from near, from far, and again. */
const bytes = fc
  .array(fc.tuple(fc.uint8Array({ maxLength: 40 }), fc.nat(30), fc.nat(3000)), { maxLength: 8 })
  .map((parts) =>
    Buffer.concat(
      parts.flatMap(([part, times, gap]) => [
        ...Array(times + 1).fill(part),
        Buffer.from(Array.from({ length: gap }, (_, i) => (i * i * 31) >> 5)),
        part,
      ]),
    ),
  );

test('the core is inlined as it was made', async () => {
  const wasm = readFileSync(new URL('../../bindings/generated/glassformer.wasm', import.meta.url));
  assert.deepEqual(Buffer.from(await unpacked(packed)), wasm);
});

test('whatever xz packs is unpacked', async () => {
  for (const data of [Buffer.alloc(0), Buffer.alloc(131072), Buffer.from([255]), source]) {
    await same(data);
  }
  await fc.assert(fc.asyncProperty(bytes, same), { numRuns: 60 });
});

test('it is unpacked once', async () => {
  assert.equal(await unpacked(packed), await unpacked(packed));
});
