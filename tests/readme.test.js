// The code blocks of README.md run, and print what a reader would check.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { blocks, read, root, write } from './support/markdown.js';
import { smallGguf } from './support/small-gguf.js';

const folder = path.dirname(write('smollm2.gguf', smallGguf()));

test('the JavaScript runs in one go: a trace, a training, a chat, a translation', () => {
  const code = blocks('README.md', 'js');
  for (const one of code) assert.ok(one.trim().split('\n').length <= 10, one);
  const file = write('readme.js', code.join('\n'));
  const options = { cwd: folder, encoding: 'utf8' };
  const lines = execFileSync(process.execPath, [file], options);
  assert.match(lines, /^Float32Array\(9\) \[\s*5, 3, 4,\s+4, 4,\s+4, 3, 3, 2\s*\]\n1 \d\.\d+\n2 /);
  assert.match(lines, /\n50 0?\.?\d+/);
  assert.match(lines, /\nthe black cat sleeps\n$|[^\n]the black cat sleeps\n$/);
});

test('it has at most 120 lines', () => {
  assert.ok(read('README.md').split('\n').length <= 120);
});

test('the moving picture is what the export draws, is small, and stands still for who wants that', () => {
  execFileSync(process.execPath, ['docs/picture.js', '--check'], { cwd: root });
  const picture = read('docs/picture.svg');
  assert.ok(picture.length < 150_000, `${picture.length} bytes`);
  assert.match(picture, /prefers-reduced-motion: reduce/);
  assert.doesNotMatch(picture, /<script|href=/);
  assert.ok(read('README.md').includes('](docs/picture.svg)'));
});
