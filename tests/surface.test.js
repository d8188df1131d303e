// What users can name, beside the list of the last release.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { entries } from '../docs/api/read.js';
import { FILE, surface, unmentioned } from './support/surface.js';

const root = path.resolve(import.meta.dirname, '..');
const read = (file) => readFileSync(path.join(root, file), 'utf8');
const [version, ...before] = readFileSync(FILE, 'utf8').trimEnd().split('\n');

test('what was removed or changed since the last release is in the changelog', async () => {
  const now = await surface();
  for (const kind of ['attribute', 'c', 'command', 'element', 'entry', 'js', 'python'])
    assert.ok(now.filter((line) => line.startsWith(`${kind} `)).length > 10, kind);
  const [, notes] = read('CHANGELOG.md').split(/^## /m);
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

test('MIGRATION.md names what is experimental, and what is deprecated', () => {
  const [stable, experimental] = read('MIGRATION.md').split('\nExperimental, ');
  const changing = entries.filter((entry) => entry.experimental).map(({ name }) => name);
  assert.deepEqual(
    changing.filter((name) => !experimental.includes(`\`${name}\``)),
    [],
  );
  const going = entries.flatMap(({ name: entry, functions, groups }) =>
    [functions, ...groups.map(({ members }) => members)]
      .flat()
      .filter(({ about }) => about.includes('Deprecated: '))
      /* Each entry has a load of its own. */
      .map(({ name }) => (name === 'load' ? `\`${entry}\` |` : `${name}(`)),
  );
  assert.ok(going.length >= 8, going.join());
  assert.deepEqual(
    going.filter((name) => !stable.includes(name)),
    [],
  );
});

test('what is experimental is not in the list', () => {
  const found = before.filter((line) =>
    /^js glassformer\/(inside|stories|pocket|relaxed) |gf_use_integers|^command inside|Options\.hooks/.test(
      line,
    ),
  );
  assert.deepEqual(found, []);
});
