// The code blocks of README.md run, and print what a reader would check.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { blocks, read, write } from './support/markdown.js';
import { smallGguf } from './support/small-gguf.js';

const folder = path.dirname(write('smollm2.gguf', smallGguf()));

test('the JavaScript runs in one go: a chat, a search, a training, LoRA, a trace, a translation', () => {
  const code = blocks('README.md', 'js');
  for (const one of code) assert.ok(one.trim().split('\n').length <= 10, one);
  const file = write('readme.js', code.join('\n'));
  const options = { cwd: folder, encoding: 'utf8' };
  const lines = execFileSync(process.execPath, [file], options);
  assert.match(lines, /\[ '[a-z ]+', '[a-z ]+' \]\n1 \d\.\d+\n/);
  assert.match(lines, /\n50 0?\.?\d+/);
  assert.match(
    lines,
    /Float32Array\(9\) \[\s*5, 3, 4,\s+4, 4,\s+4, 3, 3, 2\s*\]\nthe black cat sleeps\n$/,
  );
});

test('it has at most 136 lines', () => {
  assert.ok(read('README.md').split('\n').length <= 136);
});
