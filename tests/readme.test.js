// The code blocks of README.md run, and print what a reader would check.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { blocks, read, root, write } from './support/markdown.js';
import { CONFIG, smallGguf } from './support/small-gguf.js';

const folder = path.dirname(
  write('smollm2.gguf', smallGguf({}, { ...CONFIG, max_position_embeddings: 128 })),
);
const minilm = path.join(folder, 'minilm');
cpSync(path.join(root, 'tests/reference/fixtures/bert'), minilm, { recursive: true });
const tokenizer = {
  ...{ version: '1.0', added_tokens: [], normalizer: null, post_processor: null, decoder: null },
  pre_tokenizer: { type: 'Whitespace' },
  model: { type: 'WordLevel', vocab: { any: 0, a: 1, the: 2, cat: 3 }, unk_token: 'any' },
};
writeFileSync(path.join(minilm, 'tokenizer.json'), JSON.stringify(tokenizer));

/** What the snippet prints that has this in it. @param {string} word */
function printed(word) {
  const [code] = blocks('README.md', 'js').filter((one) => one.includes(word));
  const file = write('readme.js', code);
  return execFileSync(process.execPath, [file], { cwd: folder, encoding: 'utf8' });
}

test('each piece of JavaScript runs by itself: a trace, a training, a chat, a search, adapters, a translation', () => {
  const code = blocks('README.md', 'js');
  assert.equal(code.length, 6);
  for (const one of code) assert.ok(one.trim().split('\n').length <= 10, one);
  assert.match(
    printed('traceExample'),
    /^Float32Array\(9\) \[\s*5, 3, 4,\s+4, 4,\s+4, 3, 3, 2\s*\]\n$/,
  );
  assert.match(printed('train('), /^1 \d\.\d+\n2 .*\n50 0?\.?\d+\n\[ 3, 4, 5 \]\n$/s);
  assert.ok(printed('session(').length > 0);
  assert.match(printed('nearest('), /^(-?\d\.\d\d (the cat naps|shares fell|a dog barks)\n){2}$/);
  assert.match(printed('addLora('), /^1 \d\.\d+\n2 .*\n20 \d\.\d+\n$/s);
  assert.equal(printed("tasks['french-english']"), 'the black cat sleeps\n');
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
  /* Small enough that the ways to have it stand on the first screen. */
  assert.match(read('README.md'), /<img src="docs\/picture.svg" width="600" alt="[^"]+">/);
});
