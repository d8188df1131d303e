// glassformer lesson check: what it prints, its exit status, and what it refuses.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { call } from './call.js';

const file = resolve(import.meta.dirname, '../../../web/lessons/one-score.json');

test('lesson check finds nothing in a lesson of ours, and exits 0', async () => {
  const { status, stdout } = await call(['lesson', 'check', file]);
  assert.equal(status, 0, stdout);
  assert.match(stdout, /^0 findings in \d+ scenes\n$/);
});

test('lesson check lists what it finds, and exits 3', async () => {
  const lesson = JSON.parse(readFileSync(file, 'utf8'));
  lesson.scenes[1].say.fr = 'Le score est {scores[7,7]}.';
  const input = JSON.stringify(lesson);
  const { status, stdout } = await call(['lesson', 'check', '-'], { input });
  assert.equal(status, 3);
  assert.match(
    stdout,
    /^scene 2, say\.fr: "scores" has the shape 7 × 7; no index 7, 7 there\n1 finding in 10 scenes\n/,
  );
  const told = await call(['lesson', 'check', '-', '--json'], { input });
  assert.equal(JSON.parse(told.stdout)[0].at, 'say.fr');
  assert.equal((await call(['lesson', 'check', '-', '--quiet'], { input })).stdout, '1\n');
});

test('lesson check tells a file that is no lesson and wrong words apart', async () => {
  const { status, stderr } = await call(['lesson', 'check', '-'], { input: '{}' });
  assert.equal(status, 1);
  assert.match(stderr, /standard input: lesson: missing "name"/);
  assert.equal((await call(['lesson', 'check', join('none', 'none.json')])).status, 1);
  assert.equal((await call(['lesson', 'check'])).status, 2);
  assert.equal((await call(['lesson', 'chek', file])).status, 2);
  assert.equal((await call(['lesson'])).status, 2);
});
