// glassformer generate, on tiny models of each container.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { session } from '../../../bindings/chat.js';
import { importModel, load } from '../../../bindings/index.js';
import { readSafetensors } from '../../../bindings/js/formats/safetensors.js';
import { load as loadModels, openCheckpoint } from '../../../bindings/models.js';
import { llama2c, llamaGguf, STRING, tokenizerBin, U32 } from '../../support/gguf.js';
import { call, refuses, succeeds } from './call.js';

const fixtures = new URL('../../reference/fixtures/llama/', import.meta.url);
const config = JSON.parse(readFileSync(new URL('config.json', fixtures), 'utf8'));
const bytes = readFileSync(new URL('model.safetensors', fixtures));
const { tensors } = readSafetensors(bytes);

/** 34 tokens, as many as the model has: half a character each of é among them. */
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const TOKENS = ['<|end|>', 'Ġ', ...LETTERS, 'ab', 'Ġc', 'Ã', '©', '.', ','];
const tokenizer = {
  'tokenizer.ggml.model': [STRING, 'gpt2'],
  'tokenizer.ggml.pre': [STRING, 'gpt-2'],
  'tokenizer.ggml.tokens': [[STRING], TOKENS],
  'tokenizer.ggml.token_type': [[5], TOKENS.map((_, id) => (id ? 1 : 3))],
  'tokenizer.ggml.merges': [[STRING], ['a b', 'Ġ c']],
};

const folder = mkdtempSync(join(tmpdir(), 'glassformer-generate-'));
after(() => rmSync(folder, { recursive: true }));
const write = (name, content) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const gguf = write('tiny.gguf', llamaGguf(config, tensors, tokenizer));

/** What the model writes, read as Hugging Face's files. */
const gf = await load();
const model = gf.open(importModel({ config, bytes }));
const PROMPT = [TOKENS.indexOf('ab'), TOKENS.indexOf('Ġc')];
const written = (options) => model.generateSync(PROMPT, { stopTokens: [0], ...options });

/** Bytes of the tokens as text. */
function textOf(ids) {
  const all = ids.flatMap((id) =>
    [...TOKENS[id]].map((c) => ({ Ġ: 32, Ã: 0xc3, '©': 0xa9 })[c] ?? c.charCodeAt(0)),
  );
  return new TextDecoder().decode(Uint8Array.from(all));
}

test('the best tokens follow the text, as the model finds them', async () => {
  const tokens = written({ maxNewTokens: 9 });
  const { status, stdout, stderr } = await call(['generate', gguf, 'ab c', '--max', '9']);
  assert.equal(status, 0, stderr);
  assert.equal(stdout, `${textOf(tokens)}\n`);
  assert.match(stderr, /^9 tokens; [\d.]+ tokens\/s, the prompt included; arithmetic exact\n$/);
  assert.equal(await succeeds('generate', gguf, 'ab', 'c', '--max=9', '--quiet'), stdout);
});

test('drawn tokens are those of the seed', async () => {
  const texts = new Set();
  for (const seed of [1, 2, 3]) {
    const tokens = written({ maxNewTokens: 9, temperature: 1.5, seed });
    const args = ['--max', '9', '--temperature', '1.5', '--seed', String(seed), '--quiet'];
    const text = await succeeds('generate', gguf, 'ab c', ...args);
    assert.equal(text, `${textOf(tokens)}\n`);
    texts.add(text);
  }
  assert.ok(texts.size > 1);
});

test('a shipped model is opened by its name, and words that it lacks are named', async () => {
  const known = await call(['generate', 'stories', 'Ben has', '--max', '2']);
  assert.equal(known.status, 0, known.stderr);
  assert.doesNotMatch(known.stderr, /does not know/);
  const { status, stdout, stderr } = await call(['generate', 'stories', 'Ben has zebras']);
  assert.equal(status, 0, stderr);
  assert.ok(stdout.length > 1);
  assert.match(stderr, /the model does not know "zebras": it reads its unknown word there\n/);
});

test('--json is one object', async () => {
  const tokens = written({});
  const told = JSON.parse(await succeeds('generate', gguf, 'ab c', '--json'));
  assert.equal(typeof told.seconds, 'number');
  assert.deepEqual(told, {
    prompt: 'ab c',
    text: textOf(tokens),
    tokens,
    stopped: tokens.length < config.max_position_embeddings - 1,
    ended: tokens.length < config.max_position_embeddings - 1 ? 'stop-token' : 'max-length',
    seed: null,
    arithmetic: 'exact',
    seconds: told.seconds,
  });
  const one = JSON.parse(await succeeds('generate', gguf, 'ab c', '--json', '--max', '1'));
  assert.deepEqual([one.tokens, one.ended], [tokens.slice(0, 1), 'max-new-tokens']);
  const short = await succeeds('generate', gguf, 'ab c', '--json', '--context', '6');
  const { tokens: few, ended } = JSON.parse(short);
  assert.deepEqual([few, ended], [tokens.slice(0, few.length), 'max-length']);
  assert.ok(few.length < tokens.length);
});

test('a text comes from the standard input, without its last line break', async () => {
  const expected = await succeeds('generate', gguf, 'ab c', '--quiet');
  const { stdout } = await call(['generate', gguf, '-', '--quiet'], { input: ['ab', ' c\n'] });
  assert.equal(stdout, expected);
});

test('text comes token by token, and no character in halves', async () => {
  /* A model that writes é again and again: its last norm ends in one direction, its head knows two. */
  const parts = [];
  const stdout = {
    write(text, done) {
      parts.push(text);
      done();
    },
  };
  const changed = new Map(tensors);
  const head = { shape: [34, 24], data: new Float32Array(34 * 24) };
  const table = { shape: [34, 24], data: new Float32Array(34 * 24) };
  /* Of itself each token is embedded along one channel, and its head reads the other's. */
  const [first, second] = [TOKENS.indexOf('Ã'), TOKENS.indexOf('©')];
  table.data[24 * first] = 100;
  table.data[24 * second + 1] = 100;
  table.data[24 * TOKENS.indexOf('ab') + 1] = 100;
  head.data[24 * second] = 9;
  head.data[24 * first + 1] = 9;
  changed.set('model.embed_tokens.weight', table).set('lm_head.weight', head);
  for (const [key, { shape, data }] of tensors) {
    if (/o_proj|down_proj/.test(key)) changed.set(key, { shape, data: data.map(() => 0) });
    if (key === 'model.norm.weight') changed.set(key, { shape, data: data.map(() => 1) });
  }
  const file = write('halves.gguf', llamaGguf(config, changed, tokenizer));
  const { status, stderr } = await call(['generate', file, 'ab', '--max', '7', '--quiet'], {
    stdout,
  });
  assert.equal(status, 0, stderr);
  assert.deepEqual(parts, ['é', 'é', 'é', '\n']);
});

test('a .bin of llama2.c has its tokenizer beside it', async () => {
  const bin = write('tiny.bin', llama2c({ ...config, rope_parameters: undefined }, tensors));
  await refuses(['generate', bin, 'ab'], 1, /tiny\.bin: there is no tokenizer/);
  const names = ['<unk>', '\n<s>\n', '\n</s>\n', ' ', ...LETTERS, 'ab', ' ab', '.', ','];
  write(
    'tokenizer.bin',
    tokenizerBin(
      names,
      names.map((_, i) => i),
    ),
  );
  const told = JSON.parse(await succeeds('generate', bin, 'ab', '--max', '4', '--json'));
  assert.ok(told.tokens.length > 0);
  const plain = { ...config, rope_parameters: { rope_type: 'default', rope_theta: 10000 } };
  const same = gf.open(importModel({ config: plain, bytes }));
  const prompt = [1, names.indexOf(' ab')];
  assert.deepEqual(told.tokens, same.generateSync(prompt, { maxNewTokens: 4, stopTokens: [2] }));
});

test('a folder of Hugging Face opens by its tokenizer.json', async () => {
  const path = join(folder, 'hf');
  mkdirSync(path);
  writeFileSync(join(path, 'config.json'), JSON.stringify({ ...config, eos_token_id: 0 }));
  await refuses(
    ['generate', path, 'ab'],
    1,
    /hf: expected a file of weights.*the files are config\.json/,
  );
  writeFileSync(join(path, 'model.safetensors'), bytes);
  await refuses(['generate', path, 'ab'], 1, /hf: there is no tokenizer: expected tokenizer\.json/);
  const byteLevel = {
    type: 'ByteLevel',
    add_prefix_space: false,
    trim_offsets: true,
    use_regex: true,
  };
  const vocab = Object.fromEntries(TOKENS.map((token, id) => [token, id]));
  const json = {
    ...{ version: '1.0', added_tokens: [{ id: 0, content: '<|end|>', special: true }] },
    ...{ normalizer: null, pre_tokenizer: byteLevel, post_processor: null, decoder: byteLevel },
    model: { type: 'BPE', vocab, merges: ['a b', 'Ġ c'] },
  };
  writeFileSync(join(path, 'tokenizer.json'), JSON.stringify(json));
  const expected = await succeeds('generate', gguf, 'ab c', '--quiet');
  assert.equal(await succeeds('generate', path, 'ab c', '--quiet'), expected);
  /* Its template is in tokenizer_config.json, or in a file of its own, which counts. */
  await refuses(['generate', path, 'ab', '--chat'], 1, /--chat: the file has no chat template/);
  const chat_template = "{% for m in messages %}{{ m['content'] }}{% endfor %} c";
  writeFileSync(join(path, 'tokenizer_config.json'), JSON.stringify({ chat_template }));
  assert.equal(await succeeds('generate', path, 'ab', '--chat', '--quiet'), expected);
  writeFileSync(join(path, 'tokenizer_config.json'), JSON.stringify({ chat_template: 'z' }));
  writeFileSync(join(path, 'chat_template.jinja'), chat_template);
  assert.equal(await succeeds('generate', path, 'ab', '--chat', '--quiet'), expected);
  assert.equal(await succeeds('ask', path, 'ab', '--quiet'), expected);
  /* A model that reads, and writes nothing. */
  const bert = new URL('../bert/', fixtures);
  for (const name of ['config.json', 'model.safetensors'])
    writeFileSync(join(path, name), readFileSync(new URL(name, bert)));
  await refuses(['generate', path, 'ab'], 2, /this model cannot generate: it decodes no tokens$/m);
});

test('wrong words are refused with status 2, wrong files with status 1', async () => {
  await refuses(['generate'], 2, /missing file/);
  await refuses(['generate', gguf], 2, /missing text/);
  await refuses(['generate', gguf, ''], 2, /the text to continue is empty/);
  await refuses(
    ['generate', gguf, 'ab', '--max', 'x'],
    2,
    /--max: expected an integer, received "x"/,
  );
  await refuses(['generate', gguf, 'ab', '--max', '-1'], 2, /--max/);
  await refuses(['generate', gguf, 'ab', '--max=-1'], 2, /--max: expected 1 or more, received -1/);
  await refuses(
    ['generate', gguf, 'ab', '--temperature', 'warm'],
    2,
    /--temperature: expected a number/,
  );
  await refuses(['generate', gguf, 'a'.repeat(99)], 2, /expected at most 16 tokens/);
  await refuses(
    ['generate', join(folder, 'no.gguf'), 'ab'],
    1,
    /cannot read .*no\.gguf: no such file/,
  );
  const wrong = write('wrong.gguf', llamaGguf(config, tensors, { 'llama.expert_count': [U32, 8] }));
  await refuses(['generate', wrong, 'ab'], 1, /wrong\.gguf: .*llama\.expert_count: expected 0/);
  const silent = write('silent.gguf', llamaGguf(config, tensors));
  await refuses(['generate', silent, 'ab'], 1, /silent\.gguf: there is no tokenizer/);
});

test('--chat puts the text in the template of the file', async () => {
  await refuses(['generate', gguf, 'ab', '--chat'], 1, /--chat: the file has no chat template/);
  const template = "{% for m in messages %}{{ m['content'] }}{% endfor %} c";
  const more = { ...tokenizer, 'tokenizer.chat_template': [STRING, template] };
  const file = write('chat.gguf', llamaGguf(config, tensors, more));
  const told = JSON.parse(await succeeds('generate', file, 'ab', '--chat', '--json'));
  assert.equal(told.prompt, 'ab');
  assert.deepEqual(told.tokens, written({}));
});

test('--schema writes JSON of a schema', async () => {
  const signs = '{}":, -0123456789'.split('').filter((sign) => !TOKENS.includes(sign));
  const tokens = [...signs.map((sign) => (sign === ' ' ? 'Ġ' : sign)), ...LETTERS].slice(0, 32);
  const all = { ...tokenizer, 'tokenizer.ggml.tokens': [[STRING], ['<|end|>', ...tokens, '~']] };
  const file = write('signs.gguf', llamaGguf(config, tensors, all));
  const schema = write(
    'schema.json',
    '{"type": "array", "items": {"type": "integer"}, "maxItems": 0}',
  );
  const without = await call(['generate', file, 'a', '--schema', schema]);
  assert.equal(without.status, 2);
  assert.match(without.stderr, /no token for "\["/);
  const number = write('number.json', '{"type": "integer"}');
  const args = ['--schema', number, '--max', '4', '--temperature', '2', '--json'];
  const { text, seed } = JSON.parse(await succeeds('generate', file, 'a', ...args));
  assert.ok(Number.isInteger(JSON.parse(text)), text);
  assert.ok(Number.isInteger(seed));
  const again = ['--seed', String(seed), ...args];
  assert.equal(JSON.parse(await succeeds('generate', file, 'a', ...again)).text, text);
  const odd = write('odd.json', '{"type": "integer", "multipleOf": 2}');
  await refuses(['generate', file, 'a', '--schema', odd], 2, /schema: multipleOf is not supported/);
  await refuses(['generate', file, 'a', '--schema', write('no.json', '{')], 1, /no\.json: /);
});

test('chat answers each line, as a session does', async () => {
  const template =
    "{% if loud %}c{% endif %}{% for m in messages %}{{ m['content'] }} {% endfor %}";
  const more = { ...tokenizer, 'tokenizer.chat_template': [STRING, template] };
  const long = { ...config, max_position_embeddings: 64 };
  const file = write('talk.gguf', llamaGguf(long, tensors, more));
  const args = ['chat', file, '--max', '4', '--system', 'ab'];
  const input = 'ab c\n\nde\n';
  const { status, stdout, stderr } = await call(args, { input });
  assert.equal(status, 0, stderr);
  assert.match(stderr, /^2 turns\n$/);
  const core = await loadModels();
  const opened = await core.openModel(await openCheckpoint(file), { stored: true });
  const talk = session(opened, { maxNewTokens: 4, system: 'ab' });
  const texts = [];
  for (const line of ['ab c', 'de']) texts.push((await talk.ask(line).whole()).text);
  assert.equal(stdout, texts.map((text) => `${text}\n`).join(''));
  const json = await call([...args, '--json', '--temperature', '1', '--seed', '5'], { input });
  const records = json.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    records.map(({ message, seed, trimmed }) => [message, seed, trimmed]),
    [
      ['ab c', 5, 0],
      ['de', 5, 0],
    ],
  );
  const loud = await call([...args, '--variables', '{"loud": true}'], { input });
  assert.notEqual(loud.stdout, stdout);
  await refuses(['chat'], 2, /missing file/);
  await refuses(['chat', file, 'a'], 2, /messages come from standard input/);
  await refuses([...args, '--variables', '{'], 2, /--variables: expected JSON/);
  await refuses([...args, '--context', '99'], 2, /maxLength: expected an integer from 1 to 64/);
  await refuses(['chat', gguf], 1, /the file has no chat template/);
  assert.equal((await call(args, { input, signal: AbortSignal.abort() })).status, 130);
  opened.dispose();
});

test('Ctrl+C ends it', async () => {
  const { status } = await call(['generate', gguf, 'ab'], { signal: AbortSignal.abort() });
  assert.equal(status, 130);
});
