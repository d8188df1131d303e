// The C specs, compiled natively and as both WebAssembly builds: each must pass in all three. One run tries all natively, and half of
// them in one of the others.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { sample } from './support/sample.js';

const build = path.resolve(import.meta.dirname, '../build');

describe('native', () => {
  const { stdout, signal } = spawnSync(path.join(build, 'spec'), { encoding: 'utf8' });
  for (const [, verdict, name, complaint] of stdout.matchAll(/^(ok {2}|FAIL) ([^:\n]+)(.*)$/gm)) {
    test(name, () => verdict === 'ok  ' || assert.fail(complaint));
  }
  test('every spec ran to its end', () => {
    assert.equal(signal, null);
    assert.match(stdout, /^\d+ passed, 0 failed$/m);
  });
});

for (const kind of sample(['simd', 'scalar'], 1)) {
  describe(`wasm ${kind}`, () => {
    const module = new WebAssembly.Module(readFileSync(path.join(build, `spec-${kind}.wasm`)));
    const { exports } = new WebAssembly.Instance(module);
    /** @param {number} address of a text in the module's memory */
    const text = (address) => {
      const bytes = new Uint8Array(exports.memory.buffer, address);
      return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
    };
    for (const i of sample([...Array(exports.spec_count()).keys()], 24)) {
      test(text(exports.spec_name(i)), () => {
        const complaint = exports.spec_run(i);
        if (complaint) assert.fail(text(complaint));
      });
    }
  });
}
