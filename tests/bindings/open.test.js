// Files of others: opened from whatever they come from, read piece by piece, and refused by their headers.
import assert from 'node:assert/strict';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import {
  explain,
  exportModel,
  importModel,
  inspect,
  traceModel,
  train,
} from '../../bindings/index.js';
import { GlassformerError } from '../../bindings/js/base/errors.js';
import { readSafetensors, writeSafetensors } from '../../bindings/js/formats/safetensors.js';
import { STORED } from '../../bindings/models/formats/stored.js';
import { load, openCheckpoint } from '../../bindings/models.js';
import {
  bytesOf,
  emptyLlama,
  F32,
  gguf,
  llama2c,
  llamaGguf,
  STRING,
  TYPES,
  tokenizerBin,
  U32,
} from '../support/gguf.js';
import { generator } from '../support/program.js';
import { REASONS } from '../support/skips.js';

const gf = await load();
const fixtures = new URL('../reference/fixtures/', import.meta.url);
const bytesIn = (path) => new Uint8Array(readFileSync(new URL(path, fixtures)));
const configOf = (family) => JSON.parse(new TextDecoder().decode(bytesIn(`${family}/config.json`)));
const tensorsOf = (family) => readSafetensors(bytesIn(`${family}/model.safetensors`)).tensors;

const folder = mkdtempSync(join(tmpdir(), 'glassformer-open-'));
after(() => rmSync(folder, { recursive: true }));
const write = (name, bytes) => {
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
};

/** What importModel makes of a family's files. */
const imported = (family) =>
  gf.open(importModel({ config: configOf(family), bytes: bytesIn(`${family}/model.safetensors`) }));

/** Config, and every bit of the parameters. */
function assertSame(actual, expected, ignored = []) {
  for (const [key, value] of Object.entries(expected.config)) {
    if (!ignored.includes(key)) assert.deepEqual(actual.config[key], value, key);
  }
  assert.deepEqual([...actual.parameters.keys()], [...expected.parameters.keys()]);
  for (const [name, { data }] of expected.parameters) {
    const found = actual.parameters.get(name).data;
    assert.ok(Buffer.from(bytesOf(found)).equals(bytesOf(data)), `${name} has other numbers`);
  }
}

async function opened(file, options, listener) {
  return gf.openModel(await openCheckpoint(file, options), listener);
}

const llama = llamaGguf(configOf('llama'), tensorsOf('llama'));

// ---- Containers ----

for (const family of ['llama', 'llama-tied']) {
  test(`${family} as GGUF is the same model, queries and keys in the order of Hugging Face`, async () => {
    const file = llamaGguf(configOf(family), tensorsOf(family));
    const checkpoint = await openCheckpoint(file);
    assert.equal(checkpoint.container, 'gguf');
    assert.equal(checkpoint.family, 'llama');
    assert.equal(checkpoint.tokenizer, null);
    /* The file has these as float32. */
    const rounded = ['epsilon', 'rotaryBase', 'maxLength', 'seed', 'remove'];
    assertSame(await gf.openModel(checkpoint), imported(family), rounded);
    assert.equal(checkpoint.config.epsilon, Math.fround(1e-5));
    assert.equal(checkpoint.config.rotaryBase, 500);
  });

  for (const version of [0, 1]) {
    test(`${family} as llama2.c's .bin of version ${version} is the same model`, async () => {
      const file = llama2c(configOf(family), tensorsOf(family), version);
      const checkpoint = await openCheckpoint(file);
      assert.equal(checkpoint.container, 'llama2.c');
      assert.equal(checkpoint.config.tied, family === 'llama-tied');
      const other = ['rotaryBase', 'seed', 'remove'];
      assertSame(await gf.openModel(checkpoint), imported(family), other);
    });
  }
}

for (const family of [
  'gpt2',
  'gpt2-old',
  'gpt2-f16',
  'gpt2-bf16',
  'llama-tied',
  'bert-old',
  'marian',
  'roberta-odd-0',
  'distilbert-odd-1',
]) {
  test(`${family}: read piece by piece it is what importModel reads at once`, async () => {
    const options = { config: configOf(family) };
    assertSame(await opened(bytesIn(`${family}/model.safetensors`), options), imported(family));
  });
}

test('a large tensor comes in many pieces', async () => {
  const model = gf.model({
    kind: 'gpt',
    vocab: 9000,
    dModel: 36,
    heads: 3,
    layers: 1,
    maxLength: 4,
    tied: false,
  });
  const { config, bytes } = exportModel(model, 'gpt2');
  const parts = [];
  const same = await opened(bytes, { config }, { onProgress: (...told) => parts.push(told) });
  assertSame(same, model, ['seed', 'dropout']);
  const { size } = readSafetensors(bytes).tensors;
  assert.ok(parts.length >= size + 2, `${parts.length} pieces of ${size} tensors`);
});

test('all pieces of a file are read into the same memory', async () => {
  const sizes = { vocab: 9000, dModel: 64, heads: 2, layers: 1, maxLength: 4, tied: false };
  const model = gf.model({ kind: 'gpt', ...sizes });
  const { config, bytes } = exportModel(model, 'gpt2');
  assert.ok(bytes.length > 4_600_000);
  const rooms = new Set();
  const handle = {
    async read(room, offset, length, position) {
      rooms.add(room.buffer);
      const part = bytes.subarray(position, position + length);
      room.set(part, offset);
      return { bytesRead: part.length };
    },
    stat: async () => ({ size: bytes.length }),
  };
  const checkpoint = await openCheckpoint(handle, { config });
  rooms.clear();
  assertSame(await gf.openModel(checkpoint), model, ['seed', 'dropout']);
  /* A piece has 2^18 numbers. Tensors that come before a larger one may have had less. */
  const held = [...rooms].reduce((sum, { byteLength }) => sum + byteLength, 0);
  assert.ok(held < 2 * 2 ** 20, `${held} bytes in ${rooms.size} rooms`);
});

test('every type of a GGUF is expanded into the place where it belongs', async () => {
  const random = generator(3);
  const names = Object.keys(TYPES);
  const [width, inner, layers] = [256, 512, 4];
  const config = {
    hidden_size: width,
    intermediate_size: inner,
    num_hidden_layers: layers,
    num_attention_heads: 4,
    num_key_value_heads: 2,
    max_position_embeddings: 16,
    rms_norm_eps: 1e-5,
    rope_theta: 10000,
    vocab_size: 64,
  };
  const { metadata, list } = llamaGguf(config, emptyLlama(config, true), {}, { parts: true });
  const used = new Set();
  const tensors = list.map(([name, , shape], i) => {
    const type = names[i % names.length];
    used.add(type);
    const [, block, size] = TYPES[type];
    const bytes = new Uint8Array((shape.reduce((a, b) => a * b) / block) * size);
    /* Scales with small exponents: finite numbers. */
    return [name, type, shape, bytes.map(() => Math.floor(64 * random()))];
  });
  assert.deepEqual([...used].sort(), names.sort());
  const model = await opened(gguf(metadata, tensors));
  for (const [ours, theirs, heads] of [
    ['embedding', 'token_embd', 0],
    ['decoder.norm', 'output_norm', 0],
    ...Array.from({ length: layers }, (_, i) => [
      [`decoder.layers.${i}.self_attn.q_proj`, `blk.${i}.attn_q`, 4],
      [`decoder.layers.${i}.self_attn.k_proj`, `blk.${i}.attn_k`, 2],
      [`decoder.layers.${i}.linear2`, `blk.${i}.ffn_down`, 0],
      [`decoder.layers.${i}.gate`, `blk.${i}.ffn_gate`, 0],
    ]).flat(),
  ]) {
    const [, type, shape, bytes] = tensors.find(([name]) => name === `${theirs}.weight`);
    const numbers = new Float32Array(shape.reduce((a, b) => a * b));
    STORED[type].expand(bytes, numbers);
    const { data } = model.parameters.get(`${ours}.weight`);
    if (shape.length === 1 || ours === 'embedding') {
      assert.ok(Buffer.from(bytesOf(data)).equals(bytesOf(numbers)), ours);
      continue;
    }
    const [rows, columns] = shape;
    const size = rows / heads;
    for (let r = 0; r < rows; r++) {
      const [head, at] = [Math.floor(r / size), r % size];
      const row = heads ? head * size + (at % 2) * (size / 2) + Math.floor(at / 2) : r;
      for (let k = 0; k < columns; k += 37) {
        assert.equal(data[k * rows + row], numbers[r * columns + k], `${ours} [${k},${row}]`);
      }
    }
  }
});

/** Edits of what is stored are refused by its name. */
const refusesEdit = (trace, node) =>
  assert.throws(() => trace.edit(node, [0, 0], 1), {
    detail: 'editStored',
    message: /q_proj\.weight" stays as its file stores it, in few bits/,
  });

/** A logit is followed down: each term has a weight, and that the integer, the scale and the offset of its block.
 * @param {any} seen of a model whose matrices are stored @param {any} known the same in float32
 * @param {string[]} stored */
function followed(seen, known, stored) {
  const [index, place] = [[4, 39], 5];
  const { terms } = explain(seen, 'logits', index, gf);
  assert.deepEqual(terms, explain(known, 'logits', index, gf).terms);
  const { node, index: at, value } = terms[place].b;
  const { weight } = explain(seen, node, at, gf);
  assert.ok(weight.type && weight.value === value);
  for (const name of stored) {
    const { shape, data } = known.step(name);
    const step = seen.step(name);
    for (const place of [0, 1, data.length - 1]) {
      const cell = [Math.floor(place / shape[1]), place % shape[1]];
      const told = explain(seen, name, cell, gf);
      assert.ok(Object.is(told.value, data[place]), name);
      assert.ok(Object.is(step.stored.at(place), data[place]), name);
      const { d, scale, q, m, offset } = told.weight;
      /* In float64, and rounded once. */
      const made = told.weight.type.endsWith('16') ? d : Math.fround(d * scale * q + m * offset);
      assert.equal(made, data[place], `${name} ${told.weight.type}`);
    }
  }
  assert.equal(explain(known, stored[0], [0, 0], gf).weight, undefined);
}

test('matrices that stay as they are stored give the bits of the float32 model', async () => {
  const random = generator(9);
  const config = {
    ...{ hidden_size: 256, intermediate_size: 256, num_hidden_layers: 3, vocab_size: 40 },
    ...{ num_attention_heads: 4, num_key_value_heads: 2, max_position_embeddings: 16 },
    ...{ rms_norm_eps: 1e-5, rope_theta: 10000 },
  };
  const types = Object.keys(TYPES).filter((name) => name !== 'F32');
  const used = new Set();
  for (const tied of [false, true]) {
    const { metadata, list } = llamaGguf(config, emptyLlama(config, tied), {}, { parts: true });
    const tensors = list.map(([name, , shape], i) => {
      const type = shape.length === 1 ? 'F32' : types[i % types.length];
      used.add(type);
      const [, block, size] = TYPES[type];
      const count = shape.reduce((a, b) => a * b);
      if (type === 'F32') return [name, type, shape, bytesOf(new Float32Array(count).fill(1))];
      const bytes = new Uint8Array((count / block) * size).map(() => Math.floor(64 * random()));
      /* Scales of about 2^-9: numbers near 1. */
      return [name, type, shape, bytes.map((byte, at) => (at % 2 && byte < 32 ? byte : byte % 32))];
    });
    const checkpoint = await openCheckpoint(gguf(metadata, tensors));
    const whole = await gf.openModel(checkpoint);
    const kept = await gf.openModel(checkpoint, { stored: true });
    assert.equal(kept.stored.size, list.length - 2 * 3 - 1);
    assert.ok(kept.size < whole.size / 10);
    const bytes = tensors.reduce((sum, [, , , data]) => sum + data.length, 0);
    assert.deepEqual(checkpoint.memory, { stored: bytes, float32: 4 * whole.size });
    const target = [3, 17, 39, 0, 8];
    for (const steps of [true, false]) {
      const [a, b] = [whole, kept].map((model) =>
        model.forward({ target, steps, gradients: false }),
      );
      assert.ok(a.logits.data.some((x) => Number.isFinite(x) && x !== 0));
      assert.ok(Buffer.from(bytesOf(a.logits.data)).equals(bytesOf(b.logits.data)), 'other bits');
    }
    const options = { maxNewTokens: 6 };
    assert.deepEqual(kept.generateSync(target, options), whole.generateSync(target, options));
    assert.throws(() => kept.save(), /save: \d+ matrices are stored as their file has them/);
    for (const use of [train, inspect]) {
      assert.throws(
        () => use(kept, [{ target: [[1, 2]], labels: [[2, 3]] }]),
        /without stored to train it/,
      );
    }
    const run = kept.forward({ target, gradients: false });
    const stored = run.tensor('decoder.layers.0.self_attn.q_proj.weight');
    assert.throws(() => stored.data, { code: 'GF_ESTATE', detail: 'inFewBits' });
    const copied = run.steps().find(({ name }) => name === stored.name);
    const [seen, known] = [kept, whole].map((model) =>
      traceModel(model, { target }, { gradients: false }),
    );
    const bits = (data) => Buffer.from(bytesOf(data));
    for (const step of known.steps) {
      const { name, data } = seen.step(step.name);
      assert.ok(bits(data).equals(bits(step.data)), name);
    }
    assert.ok(bits(copied.data).equals(bits(known.step(stored.name).data)));
    refusesEdit(seen, stored.name);
    followed(seen, known, [...kept.stored.keys()]);
    kept.dispose();
    assert.throws(() => run.forward(), { code: 'GF_EDISPOSED' });
    assert.throws(() => seen.step(stored.name).data, { code: 'GF_EDISPOSED' });
    whole.dispose();
  }
  assert.equal(used.size, types.length + 1);
});

// ---- Sources ----

/** A server of one file; with ranges or without. */
async function served(bytes, ranges) {
  const requests = [];
  const server = createServer((request, response) => {
    const begin = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
    requests.push(begin);
    if (request.url === '/missing') {
      response.writeHead(404).end();
      return;
    }
    const part = ranges ? bytes.subarray(begin) : bytes;
    const status = ranges && begin ? 206 : 200;
    response.writeHead(status, { 'content-length': part.length }).end(part);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => server.close());
  return { address: `http://127.0.0.1:${server.address().port}/model.gguf`, requests };
}

test('bytes, blobs, responses, paths, handles and addresses give one model', async () => {
  const expected = await opened(llama);
  const path = write('llama.gguf', llama);
  const handle = await open(path);
  after(() => handle.close());
  const [ranged, whole] = [await served(llama, true), await served(llama, false)];
  const stream = new Response(new Blob([llama]).stream());
  for (const [what, file] of Object.entries({
    ArrayBuffer: llama.slice().buffer,
    Buffer: Buffer.concat([Buffer.from('x'), llama]).subarray(1),
    Blob: new Blob([llama]),
    Response: new Response(llama),
    'a stream of unknown length': stream,
    path,
    'URL of a file': pathToFileURL(path),
    handle,
    address: ranged.address,
    URL: new URL(ranged.address),
    'an address without ranges': whole.address,
  })) {
    const model = await opened(file);
    assertSame(model, expected);
    model.dispose();
    assert.ok(what);
  }
  assert.ok(
    ranged.requests.some((begin) => begin > 0),
    'the weights were asked for from where they begin',
  );
});

test('a server that has no such file, and a path that leads nowhere, are told', async () => {
  const { address } = await served(llama, true);
  const missing = address.replace('model.gguf', 'missing');
  await refused(openCheckpoint(missing), /missing: the server answered with status 404/);
  await refused(openCheckpoint(join(folder, 'no.gguf')), /no\.gguf: cannot be opened.*ENOENT/);
  for (const given of [folder, `${folder}/`, pathToFileURL(`${folder}/`)]) {
    const file = `${String(given).replace(/\/$/, '')}/model.safetensors`;
    const told = `cannot be opened \\(it is a folder: name a file, such as ${file}\\)$`;
    await refused(openCheckpoint(given), new RegExp(told));
  }
  await refused(openCheckpoint('http://127.0.0.1:1/x.gguf'), /x\.gguf: cannot be opened/);
});

test('a Response is read once', async () => {
  const checkpoint = await openCheckpoint(new Response(llama));
  (await gf.openModel(checkpoint)).dispose();
  await refused(gf.openModel(checkpoint), /only once/);
});

test('a checkpoint can be opened twice', async () => {
  const checkpoint = await openCheckpoint(write('twice.gguf', llama));
  assertSame(await gf.openModel(checkpoint), await gf.openModel(checkpoint));
});

test('what is no source is refused with what came', async () => {
  for (const wrong of [null, undefined, 7, {}, '', [], [7]]) {
    await assert.rejects(openCheckpoint(wrong), /openCheckpoint: expected bytes, a Blob.*received/);
  }
  await assert.rejects(openCheckpoint(llama, { configs: {} }), /configs.*config/);
  await assert.rejects(gf.openModel({}), /expected what openCheckpoint gives, received/);
  await assert.rejects(gf.openModel(await openCheckpoint(llama), { signal: 1 }), /AbortSignal/);
});

// ---- Shards ----

/** Two files of one model, and the index. */
function shards(family) {
  const all = [...tensorsOf(family)];
  const half = Math.floor(all.length / 2);
  const parts = [all.slice(half), all.slice(0, half)];
  const names = ['model-00001-of-00002.safetensors', 'model-00002-of-00002.safetensors'];
  const map = parts.flatMap((part, i) => part.map(([name]) => [name, names[i]]));
  return {
    names,
    files: parts.map((part) => writeSafetensors(part)),
    map: Object.fromEntries(map),
  };
}

test('the shards of a model are one model', async () => {
  const { names, files, map } = shards('gpt2');
  for (const [i, name] of names.entries()) write(name, files[i]);
  write('config.json', bytesIn('gpt2/config.json'));
  const index = write(
    'model.safetensors.index.json',
    JSON.stringify({ metadata: {}, weight_map: map }),
  );
  const expected = imported('gpt2');
  assertSame(await opened(files, { config: configOf('gpt2') }), expected);
  assertSame(await opened(index), expected);
  assertSame(await opened(pathToFileURL(index)), expected);
  await refused(openCheckpoint([files[0], files[0]], { config: configOf('gpt2') }), /given twice/);
  await refused(openCheckpoint([files[0]], { config: configOf('gpt2') }), /missing/);
});

test('an index leads to files of its own folder alone', async () => {
  for (const name of [
    '../secret.safetensors',
    '/etc/passwd',
    'a/b.safetensors',
    '..',
    7,
    null,
    'x.bin',
  ]) {
    const index = write('wrong.index.json', JSON.stringify({ weight_map: { a: name } }));
    await refused(openCheckpoint(index), /index\.json: .*not the name of a safetensors file/);
  }
  await refused(openCheckpoint(write('none.index.json', '{}')), /weight_map: expected an object/);
  await refused(openCheckpoint(write('no.index.json', '{')), /expected JSON/);
});

test('without a config beside it, a safetensors says what is missing', async () => {
  await refused(openCheckpoint(bytesIn('gpt2/model.safetensors')), /config\.json: is missing/);
  const alone = mkdtempSync(join(folder, 'alone-'));
  writeFileSync(join(alone, 'model.safetensors'), bytesIn('gpt2/model.safetensors'));
  await refused(openCheckpoint(join(alone, 'model.safetensors')), /config\.json: cannot be opened/);
});

// ---- Progress, cancel ----

test('progress tells the bytes, and comes to 1', async () => {
  const checkpoint = await openCheckpoint(llama);
  const told = [];
  await gf.openModel(checkpoint, { onProgress: (part, bytes) => told.push([part, bytes]) });
  assert.ok(told.length >= 20);
  assert.deepEqual(told.at(-1), [1, checkpoint.bytes]);
  assert.ok(told.every(([part, bytes]) => part === bytes / checkpoint.bytes));
  assert.deepEqual(
    told,
    [...told].sort(([a], [b]) => a - b),
  );
});

test('after the signal there is neither a model nor its memory', async () => {
  const checkpoint = await openCheckpoint(new Blob([llama]));
  const controller = new AbortController();
  let pieces = 0;
  const onProgress = () => {
    pieces += 1;
    if (pieces === 3) controller.abort();
  };
  const { signal } = controller;
  await assert.rejects(gf.openModel(checkpoint, { signal, onProgress }), { name: 'AbortError' });
  assert.ok(pieces < 6, `${pieces} pieces`);
  await assert.rejects(gf.openModel(checkpoint, { signal }), { name: 'AbortError' });
  await assert.rejects(openCheckpoint(new Blob([llama]), { signal }), { name: 'AbortError' });
});

test('a read that waits ends at the signal', async () => {
  const controller = new AbortController();
  const body = new ReadableStream({ start: (stream) => stream.enqueue(llama.slice(0, 100)) });
  const waiting = openCheckpoint(new Response(body), { signal: controller.signal });
  controller.abort();
  await assert.rejects(waiting, { name: 'AbortError' });
});

// ---- Refusals ----

async function refused(promise, pattern) {
  await assert.rejects(promise, (error) => {
    assert.ok(error instanceof GlassformerError, error.stack);
    assert.equal(error.code, 'GF_EFILE');
    assert.match(error.message, pattern);
    return true;
  });
}

/** The fixture with other metadata. */
const llamaWith = (more) => llamaGguf(configOf('llama'), tensorsOf('llama'), more);

for (const [what, file, pattern] of [
  [
    'a pickle in a zip file',
    Uint8Array.from([0x50, 0x4b, 3, 4, ...Array(30).fill(0)]),
    /pickle.*docs\/files\.md/,
  ],
  ['an archive', Uint8Array.from([0x1f, 0x8b, 8, ...Array(30).fill(0)]), /archive: unpack it/],
  ['an old pickle', Uint8Array.from([0x80, 2, 0x8a, ...Array(30).fill(0)]), /pickle/],
  [
    'an HTML page',
    new TextEncoder().encode('<!doctype html><html><body></body></html>'),
    /expected a file of GGUF.*<!doctype/,
  ],
  ['nothing', new Uint8Array(0), /the file ends at byte 0/],
  [
    'another architecture',
    llamaWith({ 'general.architecture': [STRING, 'mamba'] }),
    /architecture: expected one of llama.*"mamba"/,
  ],
  ['no architecture', gguf({}, []), /architecture: .*received undefined/],
  [
    'experts',
    llamaWith({ 'llama.expert_count': [U32, 8] }),
    /llama\.expert_count: expected 0, received 8/,
  ],
  [
    'scaled rotation',
    llamaWith({ 'llama.rope.scaling.type': [STRING, 'yarn'] }),
    /rope_type: expected one of default, linear, llama3, received "yarn"/,
  ],
  [
    'a part of the channels rotated',
    llamaWith({ 'llama.rope.dimension_count': [U32, 4] }),
    /dimension_count: expected 6, received 4/,
  ],
  [
    'a setting that may matter',
    llamaWith({ 'llama.logit_scale': [F32, 2] }),
    /"llama\.logit_scale" is not supported/,
  ],
  [
    'heads of another width',
    llamaWith({ 'llama.attention.key_length': [U32, 8] }),
    /dimension_count: expected 8, received 6/,
  ],
  [
    'a number that is a text',
    llamaWith({ 'llama.block_count': [STRING, '2'] }),
    /num_hidden_layers: expected an integer/,
  ],
  ['more layers than tensors', llamaWith({ 'llama.block_count': [U32, 3] }), /missing/],
  [
    'a thousand layers more',
    llamaWith({ 'llama.block_count': [U32, 1024] }),
    /1024|parameters, and the file has/,
  ],
  ['fewer layers than tensors', llamaWith({ 'llama.block_count': [U32, 1] }), /extra/],
  [
    'a narrower model',
    llamaWith({ 'llama.embedding_length': [U32, 48], 'llama.rope.dimension_count': [U32, 12] }),
    /another shape/,
  ],
  [
    'a .bin that is cut',
    llama2c(configOf('llama'), tensorsOf('llama')).slice(0, -4),
    /llama2\.c: the header asks for \d+ bytes/,
  ],
  [
    'a .bin of no layers',
    llama2c({ ...configOf('llama'), num_hidden_layers: 0 }, tensorsOf('llama')),
    /n_layers/,
  ],
  [
    'a .bin of version 1 that is cut',
    llama2c(configOf('llama'), tensorsOf('llama'), 1).slice(0, -4),
    /llama2\.c: the header asks for \d+ bytes/,
  ],
  [
    'a .bin of version 2, whose blocks are its own',
    llama2c(configOf('llama'), tensorsOf('llama'), 2),
    /llama2\.c: version 2: the type 8-bit Q8_0 is not supported, expected one of F32/,
  ],
  [
    'a .bin of a version that nobody has',
    llama2c(configOf('llama'), tensorsOf('llama'), 3),
    /llama2\.c: version: expected one of 1, received 3$/,
  ],
]) {
  test(`refused: ${what}`, () => refused(openCheckpoint(file), pattern));
}

test('a file that ends in its weights is refused while it is read, if its length is not known', async () => {
  const stream = (bytes) => new Response(new Blob([bytes.slice(0, -100)]).stream());
  await refused(opened(stream(llama)), /tensor "blk\.\d.*ends at byte/);
  const config = configOf('gpt2');
  await refused(
    opened(stream(bytesIn('gpt2/model.safetensors')), { config }),
    /the file ends at byte/,
  );
});

test('copies of one tensor must be the same', async () => {
  const { tensors } = readSafetensors(bytesIn('llama-tied/model.safetensors'));
  const table = tensors.get('model.embed_tokens.weight');
  const config = configOf('llama-tied');
  const twin = new Map([...tensors, ['lm_head.weight', table]]);
  assertSame(await opened(writeSafetensors(twin), { config }), imported('llama-tied'));
  const other = { shape: table.shape, data: table.data.map((x, i) => (i === 700 ? x + 1 : x)) };
  const file = writeSafetensors(new Map([...tensors, ['lm_head.weight', other]]));
  await refused(
    opened(file, { config }),
    /two copies of the tensor "model.embed_tokens.weight", and their numbers differ/,
  );
});

test('integers are no weights', async () => {
  const file = bytesIn('gpt2/model.safetensors');
  const text = new TextDecoder('latin1').decode(file);
  const at = text.indexOf('"F32"');
  const wrong = file.slice();
  wrong.set(new TextEncoder().encode('"I32"'), at);
  await refused(openCheckpoint(wrong, { config: configOf('gpt2') }), /of another dtype: .*I32/);
});

test('tokenizer.bin comes with a .bin', async () => {
  const tokens = ['<unk>', '\n<s>\n', '\n</s>\n', ' a', 'b', ' ', 'a', ' ab'];
  const rest = Array.from({ length: 26 }, (_, i) => `t${i}`);
  const all = [...tokens, ...rest];
  const bin = tokenizerBin(
    all,
    all.map((_, i) => -i),
  );
  const file = llama2c(configOf('llama'), tensorsOf('llama'));
  const { tokenizer } = await openCheckpoint(file, { tokenizer: bin });
  assert.deepEqual(tokenizer.tokens([1, 2, 3]), ['<s>', '</s>', '▁a']);
  assert.deepEqual(tokenizer.encode('ab'), [1, 7]);
  await refused(
    openCheckpoint(file, { tokenizer: bin.slice(0, -3) }),
    /ends after 33 tokens, expected 34/,
  );
});

const descriptors = '/proc/self/fd';
test('a file whose sinusoids are others is refused, and closed', {
  skip: !existsSync(descriptors) && REASONS.proc,
}, async () => {
  const config = configOf('marian');
  const shape = [config.max_position_embeddings, config.d_model];
  const zeros = { shape, data: new Float32Array(shape[0] * shape[1]) };
  const tensors = tensorsOf('marian').set('model.encoder.embed_positions.weight', zeros);
  const file = write('unlike.safetensors', writeSafetensors(tensors));
  await assert.rejects(openCheckpoint(file, { config }), /embed_positions.weight/);
  const links = readdirSync(descriptors).map((name) => join(descriptors, name));
  const opened = links.filter((link) => existsSync(link)).map((link) => readlinkSync(link));
  assert.ok(!opened.includes(file));
});
