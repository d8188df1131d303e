// glassformer check: what it prints and writes, its exit status, and what it refuses.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { call } from './call.js';

const folder = mkdtempSync(join(tmpdir(), 'glassformer-check-'));
after(() => rmSync(folder, { recursive: true }));

test('check lists wrong numbers, and exits 3', async () => {
  const file = join(folder, 'lesson.md');
  const out = join(folder, 'fixed.md');
  writeFileSync(file, 'So 2 + 2 = 5 and √4 = 2.\n');
  const { status, stdout } = await call(['check', file, '--fix', out]);
  assert.equal(status, 3);
  assert.match(stdout, /^1\. 1:12 {2}printed 5, computed 4/);
  assert.equal(readFileSync(out, 'utf8'), 'So 2 + 2 = 4 and √4 = 2.\n');
  assert.equal((await call(['check', out])).status, 0);
  const told = JSON.parse((await call(['check', file, '--json'])).stdout);
  assert.deepEqual(Object.keys(told), ['flags', 'relations', 'notUnderstood']);
  assert.equal((await call(['check', '-', '--quiet'], { input: '1 + 1 = 3' })).stdout, '1\n');
});

test('check tells a missing file, an unwritable output and wrong words apart', async () => {
  assert.equal((await call(['check', join(folder, 'none.md')])).status, 1);
  const nowhere = join(folder, 'none', 'out.md');
  assert.equal((await call(['check', '-', '--fix', nowhere], { input: '' })).status, 1);
  assert.equal((await call(['check'])).status, 2);
  assert.equal((await call(['check', 'a', 'b'])).status, 2);
  assert.equal((await call(['check', 'a', '--fixx'])).status, 2);
});
