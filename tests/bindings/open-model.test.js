// open(): a model with its tokenizer, from wherever it lies, and what it says where something is missing.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { chat, session } from '../../bindings/chat.js';
import { exportModel, GlassformerError, load, open, readModel } from '../../bindings/index.js';
import {
  detokenize,
  heldOutStories,
  storyInputs,
  vocabulary,
} from '../../bindings/lab/stories/index.js';
import { tasks } from '../../bindings/lab/tasks/index.js';
import { generateText } from '../../bindings/models/text/index.js';
import { load as loadModels, openCheckpoint } from '../../bindings/models.js';
import { smallGguf, TEMPLATE } from '../support/small-gguf.js';
import { tokenizers } from '../support/tokenizers.js';

const root = path.resolve(import.meta.dirname, '../..');
const shipped = (name) => path.join(root, `bindings/data/models/${name}.safetensors`);
const fixture = (name) => path.join(root, 'tests/reference/fixtures', name);

const folder = mkdtempSync(path.join(tmpdir(), 'glassformer-open-'));
after(() => rmSync(folder, { recursive: true }));

/** A folder of Hugging Face with a tokenizer, in a place with characters that addresses escape. */
const hugging = path.join(folder, 'a model?#');
mkdirSync(hugging);
cpSync(fixture('bert'), hugging, { recursive: true });
rmSync(path.join(hugging, 'expected.safetensors'));
const files = {
  'tokenizer.json': tokenizers.wordPiece,
  'tokenizer_config.json': { chat_template: 'not this one', cls_token: '[CLS]' },
  'generation_config.json': { eos_token_id: [4, 5] },
};
for (const [name, value] of Object.entries(files)) {
  writeFileSync(path.join(hugging, name), JSON.stringify(value));
}
writeFileSync(path.join(hugging, 'chat_template.jinja'), TEMPLATE);
const gguf = path.join(folder, 'small.gguf');
writeFileSync(gguf, smallGguf());

const gf = await load();
const named = (file) => new File([readFileSync(file)], path.basename(file));
const listed = (names) => names.map((name) => named(path.join(hugging, name)));
const all = ['config.json', 'model.safetensors', 'chat_template.jinja', ...Object.keys(files)];

/** Logits of a few tokens, as bits. */
function bitsOf(model) {
  const ids =
    model.config.kind === 'transformer'
      ? { source: [[3, 4]], target: [[1]] }
      : { target: [[3, 4, 1]] };
  const run = model.forward(ids, { steps: false });
  const { data } = run.tensor(model.config.kind === 'bert' ? 'pooled' : 'logits');
  const bits = Buffer.from(data.slice().buffer).toString('hex');
  run.dispose();
  return bits;
}

test('a folder, its path as an address, a file in it and its files in any order open alike', async (t) => {
  const server = createServer(({ url }, answer) => {
    /* The same folder three times: one of them has a page, as some servers make. */
    const name = decodeURIComponent(url).replace(/^\/((paged|plain)\/)?/, '');
    if (name === 'paged') return answer.end('<!doctype html>');
    if (!all.includes(name)) return answer.writeHead(404).end();
    return answer.end(readFileSync(path.join(hugging, name)));
  });
  await new Promise((resolve) => server.listen(0, resolve));
  t.after(() => server.close());
  const address = `http://localhost:${server.address().port}/`;
  const checkpoint = await openCheckpoint(path.join(hugging, 'model.safetensors'));
  const expected = bitsOf(await (await loadModels()).openModel(checkpoint));
  const list = { ...listed(all), length: all.length };
  Object.defineProperty(list, 'constructor', { value: { name: 'FileList' } });
  for (const source of [
    hugging,
    `${hugging}/`,
    pathToFileURL(hugging),
    path.join(hugging, 'model.safetensors'),
    listed(all),
    new Set(listed(all.toReversed())),
    list,
    address,
    new URL('model.safetensors', address),
    `${address}plain`,
    new URL('paged', address),
  ]) {
    const opened = await open(source, { gf });
    assert.equal(bitsOf(opened.model), expected);
    assert.equal(opened.family, 'bert');
    assert.equal(opened.chatTemplate, TEMPLATE);
    /* The ends that the file lists come along, and what the tokenizer puts around a text. */
    assert.deepEqual([...opened.tokenizer.stops].sort(), [4, 5]);
    assert.deepEqual(opened.tokenizer.encode('the cat'), [1, 3, 4, 2]);
    assert.equal(opened.gf, gf);
    opened.model.dispose();
  }
});

test('bytes open with what config.json says', async () => {
  const [bytes, config] = ['model.safetensors', 'config.json'].map((name) =>
    readFileSync(path.join(hugging, name)),
  );
  const opened = await open(bytes, { gf, config: JSON.parse(String(config)) });
  const { model } = await open(hugging, { gf });
  assert.equal(bitsOf(opened.model), bitsOf(model));
  opened.model.dispose();
  model.dispose();
  await refused(open(bytes, { gf }), /config\.json: is missing: .*config/);
  await refused(open(bytes, { gf, config: /** @type {any} */ ('bert') }), /open: config: .*"bert"/);
});

test('with maxLength a model reads fewer tokens, and is saved as it is', async () => {
  const whole = await open(shipped('stories'), { gf });
  const most = whole.model.config.maxLength;
  const { model, tokenizer } = await open(shipped('stories'), { gf, maxLength: 12 });
  assert.equal(model.config.maxLength, 12);
  assert.equal(bitsOf(model), bitsOf(whole.model));
  const { tokens, ended } = await generateText(model, tokenizer, 'the cat', { stopTokens: [] });
  assert.deepEqual(
    [tokens.length, ended],
    [12 - tokenizer.encode('the cat').length + 1, 'max-length'],
  );
  assert.throws(() => model.forward({ target: [Array(13).fill(1)] }), /13/);
  assert.equal((await model.generate([1, 2], { stopTokens: [] })).length, 11);
  assert.deepEqual(model.save(), whole.model.save());
  assert.deepEqual(exportModel(model, 'gpt2').bytes, exportModel(whole.model, 'gpt2').bytes);
  assert.equal(exportModel(model, 'gpt2').config.n_positions, most);
  assert.deepEqual(model.summary({ target: 5 }), whole.model.summary({ target: 5 }));
  for (const [source, length] of [
    [shipped('stories'), most + 1],
    [gguf, 2 ** 20],
    [gguf, 0],
  ]) {
    const pattern = new RegExp(`open: maxLength: .*${length}`);
    await assert.rejects(open(source, { gf, maxLength: length }), pattern);
  }
  const chat = await open(gguf, { gf, maxLength: 30, stored: true });
  assert.equal(session(chat.model).maxLength, 30);
  for (const one of [model, whole.model, chat.model]) one.dispose();
});

test('who asks open for threads learns where they are', async () => {
  const options = /** @type {any} */ ({ gf, threads: 2 });
  await refused(open(gguf, options), /open: threads: .*load\(\{ core: threads\(2\) \}\)/);
});

test('a GGUF chats: from a path, an address, bytes, a File, a Response, a handle', async () => {
  const bytes = smallGguf();
  const sources = [
    gguf,
    pathToFileURL(gguf),
    bytes,
    new File([bytes], 'x'),
    new Response(bytes),
    [gguf],
  ];
  const answers = [];
  for (const source of sources) {
    const opened = await open(source, { gf, stored: true });
    let text = '';
    const messages = [{ role: 'user', content: 'the cat' }];
    for await (const part of chat(opened.model, opened, messages, { maxNewTokens: 5 }))
      text += part;
    answers.push(text);
    opened.model.dispose();
  }
  assert.deepEqual(new Set(answers).size, 1);
  assert.equal(sources.length, answers.length);
});

for (const name of ['reverse', 'dates', 'french-english']) {
  test(`${name}: the file's vocabulary reads and writes texts as its task does`, async () => {
    const { model, tokenizer } = await open(shipped(name), { gf });
    const task = tasks[name];
    for (const { source, target } of task.heldOut(100, 3)) {
      const ids = (side, text) => task.vocabulary.encode(task.tokenize(side, text));
      assert.deepEqual(tokenizer.encode(source), ids('source', source));
      assert.equal(tokenizer.decode([1, ...ids('target', target), 2]), target);
    }
    assert.deepEqual(tokenizer.stops, [2]);
    assert.equal(bitsOf(model), bitsOf(gf.open(readModel(readFileSync(shipped(name))))));
    model.dispose();
  });
}

test('stories: a text begins with <start>, and goes on with words', async () => {
  const { model, tokenizer } = await open(new Blob([readFileSync(shipped('stories'))]));
  for (const { text, tokens } of heldOutStories(50, 2)) {
    assert.deepEqual(tokenizer.encode(text), storyInputs(text).target);
    assert.equal(tokenizer.decode(vocabulary.encode(tokens)), detokenize(tokens.slice(1)));
  }
  assert.deepEqual(tokenizer.encode('Ben', { special: false }), vocabulary.encode(['Ben']));
  assert.deepEqual(tokenizer.tokens([1, 999]), ['<start>', '']);
  let text = '';
  for await (const part of generateText(model, tokenizer, 'Ben has', { maxNewTokens: 3 }))
    text += part;
  assert.match(text, /^ \w+/);
});

test('without an unknown token, a strange word is refused; a strange sign says nothing', async () => {
  const { tokenizer } = await open(shipped('pocket'), { gf });
  assert.deepEqual(tokenizer.tokens(tokenizer.encode('Anna and Ben!')), ['Anna', 'and', 'Ben']);
  assert.throws(
    () => tokenizer.encode('Anna and Otto'),
    /encode: expected what the vocabulary has.*"Otto"/,
  );
});

const refused = (promise, ...patterns) =>
  assert.rejects(promise, (error) => {
    for (const pattern of patterns) assert.match(error.message, pattern);
    return error instanceof GlassformerError || error instanceof TypeError;
  });

test('what is missing or too much is named', async () => {
  await refused(
    open(path.dirname(shipped('dates'))),
    /several: dates\.safetensors, french-english/,
  );
  await refused(
    open([named(path.join(hugging, 'config.json'))]),
    /a file of weights.*config\.json/,
  );
  await refused(
    open(path.join(hugging, 'config.json')),
    /config\.json: it describes a model, whose folder is what to open/,
  );
  const empty = path.join(folder, 'empty');
  mkdirSync(path.join(empty, '.bin'), { recursive: true });
  await refused(open(empty), /expected a file of weights.*the files are –/);
  await refused(open(path.join(folder, 'nowhere.gguf')), /nowhere\.gguf: cannot be opened/);
  await refused(open(undefined), /^open: expected bytes, a Blob/);
  await refused(open(gguf, { tokenizer: 1 }), /unknown option "tokenizer"/);
  await refused(
    open(gguf, { core: {} }),
    /open: core: a core has the threads: const gf = await load/,
  );
  await refused(open(gguf, { gf: {} }), /open: gf: expected what load\(\) gives/);
  await refused(open(shipped('dates'), { arithmetic: 'integer' }), /stores no integers/);
  const without = await open(gf.open(readModel(readFileSync(shipped('pocket')))).save(), { gf });
  assert.throws(() => without.tokenizer, /the file has no vocabulary/);
  const alone = await open(fixture('bert'), { gf }).catch(({ message }) => message);
  assert.throws(() => alone.tokenizer, /expected tokenizer\.json beside the weights/);
});

test('a model keeps the words of its file when it is saved again, unless it is not to', async () => {
  const { model } = await open(shipped('pocket'), { gf });
  const again = await open(model.save({ training: true }), { gf });
  assert.deepEqual(again.tokenizer.tokens(again.tokenizer.encode('Anna and Ben')), [
    'Anna',
    'and',
    'Ben',
  ]);
  const none = await open(model.save({ vocabulary: null }), { gf });
  assert.throws(() => none.tokenizer, /the file has no vocabulary/);
});

test('a vocabulary that does not fit is refused with its place', async () => {
  const model = gf.model({ kind: 'gpt', vocab: 2, dModel: 4, heads: 1, layers: 1, maxLength: 4 });
  const words = { split: 'words', tokens: ['a', 'b'] };
  /* save() refuses them, too: a file of another program may have them. */
  const vocabulary = { ...words, end: 'b' };
  const written = new TextDecoder('latin1').decode(model.save({ vocabulary }));
  for (const [from, to, pattern] of [
    [String.raw`[\"a\",\"b\"]`, String.raw`[\"b\",\"b\"]`, /tokens: expected distinct texts/],
    [String.raw`[\"a\",\"b\"]`, String.raw`[\"b\"      ]`, /expected 2 of them/],
    [String.raw`\"end\":\"b\"`, String.raw`\"end\":\"c\"`, /end: expected one of the tokens/],
    ['words', 'bytes', /split: expected one of words, characters/],
  ]) {
    assert.ok(from.length === to.length && written.includes(from), from);
    const bytes = Uint8Array.from(written.replace(from, to), (sign) => sign.charCodeAt(0));
    await refused(open(bytes, { gf }), pattern);
  }
  const misspelt = /** @type {any} */ ({ ...words, split: 'letters' });
  assert.throws(
    () => model.save({ vocabulary: misspelt }),
    /^RangeError.*split: expected one of "words"/,
  );
});

test('an abort rejects with the reason of its signal, as fetch does', async () => {
  for (const source of [gguf, hugging, shipped('french-english')]) {
    const stop = new AbortController();
    const options = { gf, signal: stop.signal, onProgress: () => stop.abort() };
    await assert.rejects(open(source, options), { name: 'AbortError' });
    await assert.rejects(open(source, options), { name: 'AbortError' });
  }
  const opened = await open(gguf, { gf, signal: undefined });
  opened.model.dispose();
});
