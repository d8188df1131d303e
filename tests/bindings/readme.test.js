// The code blocks of bindings/README.md run, and give what their comments say.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { blocks, write } from '../support/markdown.js';
import { checked, checksIn, PRELUDE } from '../support/snippets.js';

test('the JavaScript runs in one go', () => {
  const code = blocks('bindings/README.md', 'js').join('\n');
  const file = write('bindings.js', PRELUDE + checked(code));
  const { stdout, stderr, status } = spawnSync(process.execPath, [file], { encoding: 'utf8' });
  assert.equal(stderr, '');
  assert.equal(status, 0);
  assert.equal(Number(stdout), checksIn(code));
  assert.ok(Number(stdout) > 20);
});
