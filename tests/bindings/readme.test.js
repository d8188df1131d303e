// The code blocks of bindings/README.md run, and give what their comments say.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { blocks, write } from '../support/markdown.js';

/** What a line must give: the numbers as far as they are written. */
const CHECK = `
import assert from 'node:assert/strict';
let checks = 0;
const round = (value) => JSON.stringify(value, (_, x) => (typeof x === 'number' ? Math.round(x * 1e4) / 1e4 : x));
const check = (actual, expected) => {
  checks += 1;
  assert.equal(round(actual), round(expected));
};
process.on('exit', () => console.log(checks));
`;

test('the JavaScript runs in one go', () => {
  const code = blocks('bindings/README.md', 'js').join('\n');
  const lines = code.replace(/^( *)(.+); \/\/ = (.+)$/gm, '$1check($2, $3);');
  const file = write('bindings.js', CHECK + lines);
  const { stdout, stderr, status } = spawnSync(process.execPath, [file], { encoding: 'utf8' });
  assert.equal(stderr, '');
  assert.equal(status, 0);
  assert.equal(Number(stdout), code.match(/\/\/ = /g).length);
  assert.ok(Number(stdout) > 20);
});
