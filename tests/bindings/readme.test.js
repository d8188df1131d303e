// The code blocks of the package's pages run, and give what their comments say.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { checkConfig } from '../../bindings/js/model/config/config.js';
import { I32, STRING } from '../support/gguf.js';
import { blocks, read, write } from '../support/markdown.js';
import { CONFIG, smallGguf, TOKENS } from '../support/small-gguf.js';
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

test('the chat of the package’s first page runs, with any GGUF that can spell JSON', () => {
  const tokens = [...TOKENS, ...'{}":'];
  const written = smallGguf(
    {
      'tokenizer.ggml.tokens': [[STRING], tokens],
      'tokenizer.ggml.token_type': [[I32], tokens.map((_, id) => (id < 2 ? 3 : 1))],
    },
    { ...CONFIG, max_position_embeddings: 512 },
  );
  const [code] = blocks('bindings/README.md', 'mjs').filter((one) => one.includes('session('));
  const folder = path.dirname(write('smollm2.gguf', written));
  const file = write('chat.mjs', code);
  const { stdout, stderr, status } = spawnSync(process.execPath, [file], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.equal(stderr, '');
  assert.equal(status, 0);
  assert.ok(stdout.endsWith('\n') && stdout.length > 1);
});

test('bindings/README.md lists the defaults of each kind of model', () => {
  const kinds = ['transformer', 'gpt', 'bert'];
  const configs = kinds.map((kind) => checkConfig({ kind, vocab: 1 }));
  const [, table] = read('bindings/README.md').split('| default | transformer | gpt | bert |\n');
  const rows = table.split('\n\n')[0].matchAll(/^\| `(\w+)` \| (.+) \| (.+) \| (.+) \|$/gm);
  const meantBy = (text) => {
    if (text === 'none') return [];
    return text.startsWith('`') ? text.slice(1, -1) : JSON.parse(text);
  };
  const defaults = new Map(Array.from(rows, ([, name, ...values]) => [name, values.map(meantBy)]));
  for (const [name] of defaults) assert.ok(name in configs[0], name);
  for (const name of Object.keys(configs[0])) {
    if (name === 'kind' || name === 'vocab') continue;
    assert.deepEqual(
      defaults.get(name),
      configs.map((config) => config[name]),
      name,
    );
  }
});
