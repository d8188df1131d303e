// A model that was saved with its vocabulary reads and writes texts, whichever way it is opened.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { load, open } from '../../../bindings/index.js';
import { embed, generateText } from '../../../bindings/models/text/index.js';
import { startWorker } from '../../../bindings/models/worker/node/index.js';
import { refuses, succeeds } from '../cli/call.js';

const folder = mkdtempSync(join(tmpdir(), 'glassformer-saved-'));
after(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'model.safetensors');
const tokens = [...'abcdefg '];
const gf = await load();
const made = gf.model({
  ...{ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 1, maxLength: 16, seed: 3 },
});
const bytes = made.save({ vocabulary: { split: 'characters', tokens } });
writeFileSync(file, bytes);
const { model, tokenizer } = await open(file);
const { text } = await generateText(model, tokenizer, 'ab', { maxNewTokens: 5 }).whole();
const [vector] = await embed(model, tokenizer, ['ab'], { pooling: 'last' });

test('what open would refuse is not saved; a file opens by the address of its path, too', async () => {
  for (const [wrong, words] of [
    [{ tokens: tokens.slice(1) }, /^save: vocabulary: tokens: expected 8 of them, .* received 7$/],
    [{ tokens: [...'abcdefga'] }, /^save: vocabulary: tokens: expected distinct texts/],
    [{ tokens, end: 'z' }, /^save: vocabulary: end: expected one of the tokens, received "z"$/],
  ])
    assert.throws(() => made.save({ vocabulary: { split: 'characters', ...wrong } }), {
      code: 'GF_ERANGE',
      message: words,
    });
  await assert.rejects(open('file://%zz'), { code: 'GF_EFILE' });
  const there = await open(pathToFileURL(file).href);
  assert.equal(there.model.config.vocab, 8);
  there.model.dispose();
});

test('in a worker: as a path, a folder and bytes', async () => {
  const worker = startWorker();
  for (const there of [
    await worker.open(file),
    await worker.open(folder),
    await worker.read(bytes),
  ]) {
    assert.equal((await there.generateText('ab', { maxNewTokens: 5 }).whole()).text, text);
    const [same] = await there.embed(['ab'], { pooling: 'last' });
    assert.deepEqual([...same], [...vector]);
  }
  worker.dispose();
});

test('on the command line: generate and embed; ask and chat need a chat template', async () => {
  assert.equal(await succeeds('generate', file, 'ab', '--max', '5', '--quiet'), `${text}\n`);
  const told = await succeeds('embed', file, 'ab');
  assert.deepEqual(told.trim().split(' ').map(Number), [...vector]);
  await refuses(
    ['ask', file, 'ab'],
    1,
    /no chat template: to continue a text, use glassformer generate/,
  );
  await refuses(['chat', file], 1, /no chat template/);
});
