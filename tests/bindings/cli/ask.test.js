// glassformer ask FILE: models of others answer by what they are, and one that has no answer says what to use.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { load } from '../../../bindings/index.js';
import { readSafetensors } from '../../../bindings/js/formats/safetensors.js';
import { call, refuses, succeeds } from './call.js';

const fixtures = fileURLToPath(new URL('../../reference/fixtures/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'glassformer-ask-'));
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
  const { tensors } = readSafetensors(readFileSync(join(path, 'expected.safetensors')));
  const { data: ids, shape } = tensors.get('input_ids');
  const lengths = tensors.get('lengths')?.data ?? [shape[1]];
  const text = Array.from(ids.slice(0, lengths[0]), (id) => `t${id}`).join(' ');
  const config = JSON.parse(readFileSync(join(path, 'config.json'), 'utf8'));
  return { path, text, logits: tensors.get('logits'), config };
}

/** What a class is called: two of them have no names in the files of transformers. */
const named = ({ id2label }, i) => id2label?.[i] ?? String(i);

/** The place of the greatest number of a row. */
const best = ({ data, shape }, row = 0) => {
  const width = shape.at(-1);
  const own = Array.from(data.slice(row * width, (row + 1) * width));
  return own.indexOf(Math.max(...own));
};

for (const family of ['bert', 'gpt2', 'llama'])
  test(`a head of ${family} for classes answers with its own labels, as transformers has them`, async () => {
    const { path, text, logits, config } = place(`${family}-classes-odd-0`);
    const label = named(config, best(logits));
    assert.match(await succeeds('ask', path, text), new RegExp(`^${label} {2}0\\.\\d{4}\n$`));
    const told = JSON.parse(await succeeds('ask', path, text, '--json'));
    assert.deepEqual(Object.keys(told), ['source', 'label', 'probability', 'probabilities']);
    assert.equal(told.source, text);
    assert.equal(told.label, label);
    const { stdout } = await call(['ask', path, '-', '--json'], { input: `${text}\n${text}\n` });
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      lines,
      [1, 2].map((line) => ({ line, ...told })),
    );
  });

for (const family of ['bert', 'qwen2'])
  test(`a head of ${family} for tokens labels each`, async () => {
    const { path, text, logits, config } = place(`${family}-tokens-odd-0`);
    const { tokens } = JSON.parse(await succeeds('ask', path, text, '--json'));
    const expected = text
      .split(' ')
      .map((word, i) => ({ text: word, label: named(config, best(logits, i)) }));
    assert.deepEqual(
      tokens.map(({ text, label }) => ({ text, label })),
      expected,
    );
    const lines = (await succeeds('ask', path, text)).trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => line.split('  ').slice(0, 2)),
      expected.map(({ text, label }) => [text, label]),
    );
  });

test('a model without an answer says what to use instead; a file takes no flags of tasks', async () => {
  const { path } = place('bert-odd-0');
  await refuses(['ask', path, 't1'], 1, /for vectors, use glassformer embed/);
  await refuses(['ask', place('gpt2').path, 't1'], 1, /use glassformer generate/);
  const own = join(folder, 'own.safetensors');
  const gf = await load();
  writeFileSync(own, gf.model({ kind: 'gpt', vocab: 4, dModel: 4, heads: 1, layers: 1 }).save());
  await refuses(
    ['ask', own, 't1'],
    1,
    /own\.safetensors: the file has no vocabulary.*ask TASK --model .*own\.safe/,
  );
  await refuses(['ask', path], 2, /missing question/);
  await refuses(['ask', path, 't1', '--vocabulary'], 2, /--vocabulary is for a task/);
});
