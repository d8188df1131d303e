// The code blocks of the package's pages run, and give what their comments say.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { blocks, write } from '../support/markdown.js';
import { checked, checksIn, PRELUDE } from '../support/snippets.js';

for (const [page, least] of [
  ['bindings/README.md', 20],
  ['docs/npm.md', 3],
]) {
  test(`the JavaScript of ${page} runs in one go`, () => {
    const code = blocks(page, 'js').join('\n');
    const file = write(`${page.replaceAll('/', '-')}.js`, PRELUDE + checked(code));
    const { stdout, stderr, status } = spawnSync(process.execPath, [file], { encoding: 'utf8' });
    assert.equal(stderr, '');
    assert.equal(status, 0);
    assert.equal(Number(stdout), checksIn(code));
    assert.ok(Number(stdout) >= least);
  });
}
