// glassformer embed, against transformers (tests/reference/embeddings.py).
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { importModel, load } from '../../../bindings/index.js';
import { call, refuses, succeeds } from './call.js';

const fixtures = fileURLToPath(new URL('../../reference/fixtures/', import.meta.url));
const cases = JSON.parse(readFileSync(join(fixtures, 'embeddings.json'), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'glassformer-embed-'));
after(() => rmSync(folder, { recursive: true }));

/** A family's files, with a tokenizer whose words are "t0", "t1", ... */
function place(family) {
  const path = join(folder, family);
  cpSync(join(fixtures, family), path, { recursive: true });
  const vocab = Object.fromEntries(Array.from({ length: 60 }, (_, id) => [`t${id}`, id]));
  const tokenizer = {
    ...{ version: '1.0', added_tokens: [], normalizer: null, post_processor: null, decoder: null },
    pre_tokenizer: { type: 'Whitespace' },
    model: { type: 'WordLevel', vocab, unk_token: 't0' },
  };
  writeFileSync(join(path, 'tokenizer.json'), JSON.stringify(tokenizer));
  return path;
}
for (const family of new Set(cases.map(({ family }) => family))) place(family);
const textOf = (ids) => ids.map((id) => `t${id}`).join(' ');

function near(actual, expected, what) {
  assert.equal(actual.length, expected.length);
  for (const [i, value] of expected.entries()) {
    assert.ok(Math.abs(actual[i] - value) < 1e-5 * (1 + Math.abs(value)), `${what} [${i}]`);
  }
}

test('vectors are those of transformers', async () => {
  for (const { family, ids, pooling, raw, normalized } of cases) {
    const args = ['embed', join(folder, family), textOf(ids), '--pooling', pooling];
    const what = `${family} ${pooling} ${ids}`;
    near((await succeeds(...args)).trim().split(' ').map(Number), normalized, what);
    const told = JSON.parse(await succeeds(...args, '--raw', '--json'));
    assert.equal(told.text, textOf(ids));
    near(told.embedding, raw, what);
  }
});

test('of a GPT the vector is that of its last token, unless another one is asked for', async () => {
  const path = place('gpt2');
  const [config, bytes] = [
    JSON.parse(readFileSync(join(path, 'config.json'), 'utf8')),
    readFileSync(join(path, 'model.safetensors')),
  ];
  const gf = await load();
  const run = gf.open(importModel({ config, bytes })).forward({ target: [5, 6, 2] });
  const [rows] = run.tensor('decoder.norm').toArray();
  const args = ['embed', path, textOf([5, 6, 2]), '--raw'];
  const vectorOf = async (...more) =>
    (await succeeds(...args, ...more)).trim().split(' ').map(Number);
  assert.deepEqual(await vectorOf(), rows[2]);
  assert.deepEqual(await vectorOf('--pooling', 'last'), rows[2]);
  assert.deepEqual(await vectorOf('--pooling', 'first'), rows[0]);
  near(
    await vectorOf('--pooling', 'mean'),
    rows[0].map((_, i) => (rows[0][i] + rows[1][i] + rows[2][i]) / 3),
    'mean',
  );
});

test('--truncate leaves out the end of a long text, but for its last token', async () => {
  const bert = join(folder, 'bert');
  const long = await succeeds('embed', bert, `${'t1 '.repeat(11)}t5 t6 t2`, '--truncate');
  assert.equal(long, await succeeds('embed', bert, `${'t1 '.repeat(11)}t2`));
});

test('each line of the standard input is a text', async () => {
  const own = cases.filter(({ family, pooling }) => family === 'bert' && pooling === 'mean');
  /* Blank lines are none. */
  const input = own.map(({ ids }) => `\n${textOf(ids)}\n`);
  for (const args of [['-'], []]) {
    const { status, stdout } = await call(['embed', join(folder, 'bert'), ...args], { input });
    assert.equal(status, 0);
    const lines = stdout.trimEnd().split('\n');
    assert.equal(lines.length, own.length);
    for (const [i, line] of lines.entries())
      near(line.split(' ').map(Number), own[i].normalized, line);
  }
});

test('wrong words are refused with status 2, wrong files with status 1', async () => {
  const bert = join(folder, 'bert');
  await refuses(['embed'], 2, /missing file\. See glassformer embed --help/);
  await refuses(['embed', bert, ''], 2, /the text is empty/);
  const empty = join(folder, 'empty.gguf');
  writeFileSync(empty, '');
  await refuses(['embed', empty, 't1'], 1, /^glassformer: [^:]*empty\.gguf: the file ends/);
  await refuses(['embed', bert, 't1', '--pooling', 'max'], 2, /unknown pooling "max".*mean, first/);
  await refuses(['embed', bert, ' '], 2, /the text is empty/);
  await refuses(
    ['embed', bert, 't1 '.repeat(13)],
    2,
    /the text has 13 tokens, and the model takes 12: shorten it, or use --truncate/,
  );
  await refuses(['embed', join(folder, 'no'), 't1'], 1, /cannot read .*no: no such file/);
});
