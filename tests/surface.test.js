// What users can name, beside the list of the last release.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { FILE, surface, unmentioned } from './support/surface.js';

const root = path.resolve(import.meta.dirname, '..');
const [version, ...before] = readFileSync(FILE, 'utf8').trimEnd().split('\n');

test('what was removed or changed since the last release is in the changelog', async () => {
  const now = await surface();
  for (const kind of ['attribute', 'c', 'command', 'element', 'entry', 'js', 'python'])
    assert.ok(now.filter((line) => line.startsWith(`${kind} `)).length > 10, kind);
  const [, notes] = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8').split(/^## /m);
  assert.match(version, /^version \d+\.\d+\.\d+$/);
  assert.deepEqual(unmentioned(before, now, notes), []);
});

test('a name that is gone, and a field of another type, are found', () => {
  const list = ['c gf_add: int gf_add(int a);', 'js glassformer Step.loss: number', 'entry ./chat'];
  const changed = ['js glassformer Step.loss: string', 'js glassformer Step.rate: number'];
  const notes = 'The loss is a text, and `glassformer/chat` is gone.';
  assert.deepEqual(unmentioned(list, [...changed, list[0]], notes), [list[1]]);
  assert.deepEqual(unmentioned(list, changed, '`step.loss` is a text'), [list[0], list[2]]);
  assert.deepEqual(unmentioned(list, [...list, ...changed], ''), []);
});

test('what is experimental is not in the list', () => {
  const found = before.filter((line) =>
    /^js glassformer\/(inside|stories|pocket|relaxed) |gf_use_integers|^command inside|Options\.hooks/.test(
      line,
    ),
  );
  assert.deepEqual(found, []);
});
