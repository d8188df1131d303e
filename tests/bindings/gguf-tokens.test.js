// Tokenizers of GGUF as llama.cpp has them (src/llama-vocab.cpp says which names do what), parts of models, and where
// bytes come from.
import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import http from 'node:http';
import { test } from 'node:test';
import { openSource } from '../../bindings/models/formats/source.js';
import { openTokenizer } from '../../bindings/models/formats/tokenizer.js';
import { tokenizerJson } from '../../bindings/models/formats/tokenizer-json.js';
import { openCheckpoint } from '../../bindings/models.js';
import { BOOL, gguf, I32, llamaGguf, STRING, U32 } from '../support/gguf.js';
import { CONFIG, smallTensors } from '../support/small-gguf.js';

const WORDS = ['a', 'b', 'c', 'ab', 'abc', '<s>', '<e>', '<m>', '<u>'];
/** @param {Record<string, [any, any]>} more @param {string[]} [tokens] */
async function tokenizerWith(more, tokens = WORDS) {
  const config = { ...CONFIG, num_hidden_layers: 1, vocab_size: tokens.length };
  const lists = {
    model: [STRING, 'gpt2'],
    tokens: [[STRING], tokens],
    token_type: [[I32], tokens.map((token) => (/^</.test(token) ? 3 : 1))],
    /* b and c are joined first: abc is never made of ab. */
    merges: [[STRING], ['b c', 'a b']],
    bos_token_id: [U32, 5],
    eos_token_id: [U32, 6],
    ...more,
  };
  const pairs = Object.entries(lists).map(([key, pair]) => [`tokenizer.ggml.${key}`, pair]);
  const tensors = smallTensors(config, tokens.length);
  const { metadata, list } = llamaGguf(config, tensors, Object.fromEntries(pairs), { parts: true });
  return openCheckpoint(gguf(metadata, list));
}

test('Llama 3: a word that is a token stays whole, and a text begins with its token', async () => {
  for (const pre of ['llama-bpe', 'llama3', 'llama-v3', 'falcon3', 'pixtral', 'midm-2.0']) {
    const { tokenizer, warnings } = await tokenizerWith({ pre: [STRING, pre] });
    assert.deepEqual(tokenizer.encode('abc'), [5, 4], pre);
    assert.deepEqual(tokenizer.encode('abc', { special: false }), [4], pre);
    assert.deepEqual(warnings, []);
  }
  const said = await tokenizerWith({ pre: [STRING, 'llama-bpe'], add_bos_token: [BOOL, 0] });
  assert.deepEqual(said.tokenizer.encode('abc'), [4]);
  /* Others join: bc first, which is no token. */
  const { tokenizer } = await tokenizerWith({ pre: [STRING, 'qwen2'] });
  assert.deepEqual(tokenizer.encode('abc'), [0, 1, 2]);
});

test('all that llama.cpp knows as an end ends a text', async () => {
  const ends = [
    ...[
      '<|eot_id|>',
      '<|im_end|>',
      '<|end|>',
      '<end_of_turn>',
      '<|endoftext|>',
      '</s>',
      '<|eom_id|>',
    ],
    ...['<EOT>', '_<EOT>', '<|end_of_text|>', '<end_of_utterance>', '[EOS]', '<eos>', '[e~['],
  ];
  const { tokenizer } = await tokenizerWith(
    { pre: [STRING, 'qwen2'], eot_token_id: [U32, 0], eom_token_id: [U32, 7] },
    [...WORDS, ...ends],
  );
  const stops = [6, 0, 7, ...ends.map((_, i) => WORDS.length + i)];
  assert.deepEqual([...tokenizer.stops].sort(), [...stops].sort());
  const harmony = await tokenizerWith({}, [...WORDS, '<|end|>', '<|return|>', '<|call|>']);
  assert.deepEqual([...harmony.tokenizer.stops].sort(), [10, 11, 6]);
});

test('an unknown token stands in a text as it is, and is not shown', async () => {
  const types = [1, 1, 1, 1, 1, 3, 3, 3, 2];
  const { tokenizer } = await tokenizerWith({ pre: [STRING, 'qwen2'], token_type: [[I32], types] });
  assert.deepEqual(tokenizer.encode('a<u>b', { special: false }), [0, 8, 1]);
  assert.equal(tokenizer.decode([0, 8, 1]), 'ab');
});

test('a file that does not say how texts are cut opens with a warning', async () => {
  const { warnings, tokenizer } = await tokenizerWith({});
  assert.equal(warnings.length, 1);
  assert.match(
    warnings[0],
    /^tokenizer\.ggml\.pre: is missing, so texts are cut into words as for GPT-2/,
  );
  assert.deepEqual(tokenizer.encode('ab'), [3]);
});

test('what convert writes cuts and ends texts alike', async () => {
  const tokens = [...WORDS, '<|eot_id|>'];
  const lists = {
    model: 'gpt2',
    tokens,
    merges: ['b c', 'a b'],
    pre: 'llama-bpe',
    bos: 5,
    eos: 6,
    eom: 7,
  };
  const types = tokens.map((token) => (/^</.test(token) ? 3 : 1));
  const written = tokenizerJson({ ...lists, types }, null);
  const opened = openTokenizer(written);
  assert.deepEqual(opened.encode('abc'), [5, 4]);
  assert.deepEqual([...opened.stops].sort(), [6, 7, 9]);
});

test('generation_config.json says which tokens end a text, or is refused by name', () => {
  const { tokenizer, config } = tokenizerJson({ model: 'gpt2', tokens: WORDS, eos: 6 }, null);
  /** @param {unknown} generation */
  const stops = (generation) => openTokenizer({ tokenizer, config, generation }).stops;
  assert.deepEqual([...stops({ eos_token_id: 3 })], [3, 6]);
  assert.deepEqual([...stops({ eos_token_id: [3, 6, 4] })], [3, 6, 4]);
  assert.deepEqual([...stops({ eos_token_id: null })], [6]);
  assert.throws(
    () => stops({ eos_token_id: [3, 'x'] }),
    /generation_config\.json: eos_token_id\[1\]: expected an integer/,
  );
  assert.throws(() => stops([]), /generation_config\.json: expected an object/);
});

test('a file is refused in the sentence of its lists, with the names that the file has for them', async () => {
  const lists = [
    [
      {},
      ['a', 'b', 'c', 'a', 'ab', '<s>', '<e>'],
      'tokens[3]: expected a token other than that of id 0',
    ],
    [{ merges: [[STRING], ['b c', 'a']] }, WORDS, 'merges[1]: expected two tokens with a space'],
    [
      { model: [STRING, 'llama'] },
      [...WORDS.slice(0, 7), '<0x-1>'],
      'tokens[7]: expected two hexadecimal digits after <0x',
    ],
  ];
  for (const [more, tokens, sentence] of lists) {
    const refused = await tokenizerWith(more, tokens).catch(({ message }) => message);
    assert.ok(String(refused).startsWith(`GGUF: tokenizer.ggml.${sentence}`), String(refused));
  }
});

test('one part of a model says so, by its metadata or its name', async () => {
  const split = await openCheckpoint(
    gguf({ 'split.no': [U32, 1], 'split.count': [U32, 3] }, []),
  ).catch(({ message }) => message);
  assert.match(
    String(split),
    /this is part 2 of the 3 parts of a model: join them with llama-gguf-split/,
  );
  const named = new File(['{}'.repeat(20)], 'model-00002-of-00004.safetensors');
  await assert.rejects(
    openCheckpoint(named),
    /part 2 of the 4 parts .* open model\.safetensors\.index\.json/,
  );
});

test('a source that jumps listens to its signal once, and not after it was closed', async () => {
  const bytes = new Uint8Array(2 ** 23);
  const server = http.createServer((request, response) => {
    const from = Number(/\d+/.exec(request.headers.range ?? '0')?.[0]);
    response.writeHead(from ? 206 : 200, { 'content-length': bytes.length - from });
    response.end(bytes.subarray(from));
  });
  await once(server.listen(0), 'listening');
  const { signal } = new AbortController();
  let listeners = 0;
  for (const [name, step] of /** @type {const} */ ([
    ['addEventListener', 1],
    ['removeEventListener', -1],
  ])) {
    const own = signal[name].bind(signal);
    signal[name] = (/** @type {any[]} */ ...args) => {
      listeners += step;
      return /** @type {any} */ (own)(...args);
    };
  }
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  try {
    const source = await openSource('test', `http://127.0.0.1:${port}/x.gguf`, signal);
    for (let i = 0; i < 20; i++) await source.read((i % 2) * 5_000_000, (i % 2) * 5_000_000 + 8);
    assert.ok(listeners <= 1 && getEventListeners(signal, 'abort').length <= 1, `${listeners}`);
    await source.close();
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
