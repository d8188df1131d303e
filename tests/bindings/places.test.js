// Programs that import from a checkout find what moved at its old place, until 2.0.
import assert from 'node:assert/strict';
import test from 'node:test';

const MOVED = {
  'checker/index.js': 'learn/checker/index.js',
  'exercises/index.js': 'learn/exercises/index.js',
  'exercises/marking/number.js': 'js/number/read.js',
  'formats/safetensors.js': 'js/formats/safetensors.js',
  'formats/token-lists.js': 'models/formats/token-lists.js',
  'formats/tokenizer.js': 'models/formats/tokenizer.js',
  'inside/index.js': 'lab/inside/index.js',
  'lessons/index.js': 'learn/lessons/index.js',
  'text/index.js': 'models/text/index.js',
  'threads/node/index.js': 'models/threads/node/index.js',
};

for (const [before, now] of Object.entries(MOVED)) {
  test(`bindings/${before} is bindings/${now}`, async () => {
    const [old, moved] = await Promise.all(
      [before, now].map((place) => import(`../../bindings/${place}`)),
    );
    assert.deepEqual({ ...old }, { ...moved });
    assert.ok(Object.keys(moved).length > 0);
  });
}
