// What a fuzzer once found, and what it takes for a start: each input again.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { differences, fuzz, open } from './fuzz/builds.js';
import { targets } from './fuzz/targets.js';

const root = path.resolve(import.meta.dirname, '..');
const corpus = path.join(root, 'tests/fuzz/corpus');

/** @param {string} name */
function inputsOf(name) {
  const folder = path.join(corpus, name);
  return existsSync(folder) ? readdirSync(folder).map((file) => path.join(folder, file)) : [];
}

for (const name of ['tape', 'model', 'header', 'open']) {
  test(`the core: ${name}`, () => {
    const inputs = inputsOf(name);
    assert.ok(inputs.length);
    const replay = path.join(root, `build/fuzz/replay-${name}`);
    const { status, stderr } = spawnSync(replay, inputs, { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  });
}

for (const [name, { run }] of Object.entries(targets)) {
  test(`JavaScript: ${name}`, async () => {
    for (const file of inputsOf(name)) await run(JSON.parse(readFileSync(file, 'utf8')));
  });
}

test('random programs have the same bits natively, in each wasm build and in Python', async (t) => {
  const opened = await open();
  t.after(opened.close);
  const kept = inputsOf('builds').map((file) => readFileSync(file, 'utf8').trimEnd().split('\n'));
  assert.deepEqual(await differences(opened.builds, kept), []);
  const { what, lines } = await fuzz(opened, 1, (count) => count >= 150);
  assert.equal(what, undefined, `${what}\n${lines?.join('\n')}`);
});
