// Files that JavaScript, Python and C open by one call: ten tokens of each, by their ids and by the bits of all logits
// at each step; and files that C refuses.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { narrowed } from '../bindings/cli/narrowed.js';
import { GGUF } from '../bindings/generated/families.js';
import { exportModel, load as loadOwn, readModel } from '../bindings/index.js';
import { readSafetensors } from '../bindings/js/formats/safetensors.js';
import { STORING } from '../bindings/models/formats/quantize.js';
import { load, openCheckpoint } from '../bindings/models.js';
import {
  BOOL,
  bytesOf,
  F32,
  gguf,
  gptGguf,
  llama3Divisors,
  llamaGguf,
  STRING,
  TYPES,
  U32,
} from './support/gguf.js';
import { PYTHONPATH, python } from './support/python.js';
import { onlyInFull } from './support/skips.js';
import { CONFIG, smallGguf, smallTensors } from './support/small-gguf.js';

/* Before the first test: what comes behind a wait may come after the last one. */
const gf = await load();
const saving = await loadOwn();
const root = path.resolve(import.meta.dirname, '..');
const folder = mkdtempSync(path.join(tmpdir(), 'glassformer-tokens-'));
after(() => rmSync(folder, { recursive: true }));

const strict = ['-std=c11', '-Wall', '-Wextra', '-Wpedantic', '-Werror', '-Isrc'];
/** A program in C, compiled. @param {string} source */
function compiled(source) {
  const target = path.join(folder, source.replaceAll('/', '-'));
  execFileSync('cc', [...strict, source, 'build/libglassformer.a', '-o', target], { cwd: root });
  return target;
}
/** Tells of each token its logit and the bits of all logits, and why a file is refused. */
const program = compiled('tests/native/open.c');
/** The example: 40 lines, ids alone. */
const example = compiled('tests/example/open.c');

/** FNV-1a of the bits of float32 numbers. @param {Float32Array} numbers */
function hashOf(numbers) {
  let hash = 2166136261;
  for (const byte of new Uint8Array(numbers.slice().buffer)) {
    hash = Math.imul(hash ^ byte, 16777619);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}

/** The model of a file, as JavaScript opens it. @param {string} file */
async function modelOf(file) {
  const bytes = readFileSync(file);
  return bytes.subarray(0, 4).toString() === 'GGUF'
    ? gf.openModel(await openCheckpoint(bytes))
    : saving.open(readModel(bytes));
}

/** The next ten tokens, greedily: id, logit and hash of all logits.
 * @param {string} file @param {number[]} prompt */
async function inJavaScript(file, prompt) {
  const model = await modelOf(file);
  const { kind, vocab, maxLength } = model.config;
  const source = kind === 'transformer' ? [prompt] : undefined;
  const ids = source ? [1] : [...prompt];
  const lines = [];
  for (let i = 0; i < 10 && ids.length < maxLength; i++) {
    const run = model.forward({ ...(source && { source }), target: [ids] });
    const row = run.logits.data.slice(-vocab);
    const best = row.indexOf(Math.max(...row));
    lines.push([best, row[best], hashOf(row)]);
    ids.push(best);
    run.dispose();
  }
  model.dispose();
  return lines;
}

/** What a program writes for a file and a prompt.
 * @param {string} command @param {string[]} args */
const linesOf = (command, args) =>
  execFileSync(command, args, { cwd: root, encoding: 'utf8', env: { ...process.env, PYTHONPATH } })
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
    .map(([token, logit, hash]) => [Number(token), Math.fround(Number(logit)), hash]);

/** @param {string} file @param {number[]} prompt */
const inC = (file, prompt) => linesOf(program, [file, ...prompt.map(String)]);
/** @param {string} file @param {number[]} prompt */
const inPython = (file, prompt) =>
  linesOf(python, ['tests/python/tokens.py', file, ...prompt.map(String)]);

/** @param {string} name @param {Uint8Array} bytes */
function written(name, bytes) {
  const file = path.join(folder, name);
  writeFileSync(file, bytes);
  return file;
}

/** Tensors of a GGUF in another type: matrices, or all whose rows its blocks fill.
 * @param {{ metadata: any, list: any[] }} parts @param {string} type */
function storedIn({ metadata, list }, type, vectors = false) {
  const [, width, size] = TYPES[type];
  const tensors = list.map(([name, dtype, shape, bytes]) => {
    if (type === 'F32' || (shape.length === 1 && !vectors)) return [name, dtype, shape, bytes];
    const numbers = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    const out = new Uint8Array((numbers.length / width) * size);
    STORING[type](numbers, out);
    return [name, type, shape, out];
  });
  return gguf(metadata, tensors);
}

/** A small Llama whose rows the blocks of a type fill. @param {number} width @param {Record<string, any>} [more] */
function llamaParts(width, more = {}) {
  const config = { ...CONFIG, hidden_size: Math.max(32, width), intermediate_size: 256 };
  return llamaGguf(config, smallTensors(config, 9), more, { parts: true });
}

const fixtures = path.join(root, 'tests/reference/fixtures');
const configOf = (name) =>
  JSON.parse(readFileSync(path.join(fixtures, name, 'config.json'), 'utf8'));
const tensorsOf = (name) =>
  readSafetensors(new Uint8Array(readFileSync(path.join(fixtures, name, 'model.safetensors'))))
    .tensors;

/** Models of Hugging Face, as llama.cpp's converter writes them. */
const FIXTURES = {
  'llama-odd-0': (name) => llamaGguf(configOf(name), tensorsOf(name)),
  'llama-tied': (name) => llamaGguf(configOf(name), tensorsOf(name)),
  'qwen2-odd-0': (name) =>
    llamaGguf(configOf(name), tensorsOf(name), {}, { architecture: 'qwen2' }),
  'qwen3-odd-1': (name) =>
    llamaGguf(configOf(name), tensorsOf(name), {}, { architecture: 'qwen3' }),
  'neox-odd-0': (name) => gptGguf('gptneox', configOf(name), tensorsOf(name)),
  'neox-odd-1': (name) => gptGguf('gptneox', configOf(name), tensorsOf(name)),
  'gpt2-odd-0': (name) => gptGguf('gpt2', configOf(name), tensorsOf(name)),
};

for (const name of ['stories', 'pocket', 'reverse', 'dates', 'french-english']) {
  test(`${name} writes the same tokens in JavaScript, Python and C, bit for bit`, async () => {
    const file = path.join(root, `bindings/data/models/${name}.safetensors`);
    const expected = await inJavaScript(file, [4, 5, 6]);
    assert.equal(expected.length, name === 'pocket' ? 4 : 10);
    assert.deepEqual(inC(file, [4, 5, 6]), expected);
    assert.deepEqual(inPython(file, [4, 5, 6]), expected);
    const ids = execFileSync(example, [file, '4', '5', '6'], { encoding: 'utf8' });
    assert.equal(ids, expected.map(([id]) => `${id}\n`).join(''));
  });
}

test('the example in C has at most 40 lines, opens a GGUF, and says what it refuses', () => {
  const source = readFileSync(path.join(root, 'tests/example/open.c'), 'utf8');
  assert.ok(source.trim().split('\n').length <= 40);
  const [name, bytesOf] = Object.entries(FIXTURES)[0];
  const file = written(`${name}.gguf`, bytesOf(name));
  const { stdout } = spawnSync(example, [file, '3', '1'], { encoding: 'utf8' });
  assert.deepEqual(
    stdout.trim().split('\n').map(Number),
    inC(file, [3, 1]).map(([id]) => id),
  );
  const refused = spawnSync(example, [path.join(root, 'README.md'), '1'], { encoding: 'utf8' });
  assert.deepEqual([refused.status, /README\.md: the header is/.test(refused.stderr)], [1, true]);
});

test('SmolLM2 in 4 bits writes the same tokens in JavaScript, Python and C, bit for bit', {
  skip: onlyInFull,
}, async () => {
  const file = path.join(root, 'build/models/smollm2.gguf');
  const { ids } = JSON.parse(readFileSync(path.join(fixtures, 'smollm2.json'), 'utf8')).prompts[0];
  const expected = await inJavaScript(file, ids);
  assert.equal(expected.length, 10);
  assert.deepEqual(inC(file, ids), expected);
  assert.deepEqual(inPython(file, ids), expected);
});

test('C writes the tokens of a GGUF of each architecture as JavaScript and Python', async () => {
  for (const [name, bytesOf] of Object.entries(FIXTURES)) {
    const file = written(`${name}.gguf`, bytesOf(name));
    const expected = await inJavaScript(file, [3, 1]);
    assert.deepEqual(inC(file, [3, 1]), expected, name);
    assert.deepEqual(inPython(file, [3, 1]), expected, name);
  }
});

test('C reads numbers in each type as JavaScript', async () => {
  for (const type of ['F32', ...Object.keys(STORING)]) {
    const file = written(`${type}.gguf`, storedIn(llamaParts(TYPES[type][1]), type));
    assert.deepEqual(inC(file, [3, 1]), await inJavaScript(file, [3, 1]), type);
  }
});

test('C reads vectors, positions and joined projections in the types of matrices', async () => {
  const model = saving.model({
    kind: 'gpt',
    vocab: 9,
    dModel: 32,
    heads: 2,
    layers: 2,
    maxLength: 32,
  });
  const { config, bytes } = exportModel(model, 'gpt2');
  model.dispose();
  const { tensors } = readSafetensors(bytes);
  for (const type of ['F16', 'BF16', 'Q8_0', 'Q4_1']) {
    const gpt2 = gptGguf('gpt2', config, tensors, { parts: true });
    for (const parts of [gpt2, llamaParts(32)]) {
      const file = written('vectors.gguf', storedIn(parts, type, true));
      assert.deepEqual(inC(file, [3, 1]), await inJavaScript(file, [3, 1]), type);
    }
  }
});

test('C stretches rotation linearly, and as Llama 3', async () => {
  const linear = {
    'llama.rope.scaling.type': [STRING, 'linear'],
    'llama.rope.scaling.factor': [F32, 4],
  };
  const plain = llamaParts(32);
  const expected = await inJavaScript(written('plain.gguf', storedIn(plain, 'F32')), [3, 1, 2]);
  const llama3 = llamaParts(32, { 'llama.rope.freq_base': [F32, 5e6] });
  const divisors = llama3Divisors(16, 5e6);
  const withDivisors = (numbers) =>
    gguf(llama3.metadata, [...llama3.list, ['rope_freqs.weight', 'F32', [8], bytesOf(numbers)]]);
  for (const bytes of [storedIn(llamaParts(32, linear), 'F32'), withDivisors(divisors)]) {
    const file = written('stretched.gguf', bytes);
    const lines = inC(file, [3, 1, 2]);
    assert.deepEqual(lines, await inJavaScript(file, [3, 1, 2]));
    assert.notDeepEqual(lines, expected);
  }
  assert.match(refusal(withDivisors(divisors.map((x) => 1.5 * x + 1))), /setting .*rope_freqs/);
});

/** How C refuses a file. @param {Uint8Array} bytes */
function refusal(bytes) {
  const { status, stderr } = spawnSync(program, [written('refused', bytes), '1'], {
    encoding: 'utf8',
  });
  assert.equal(status, 1, stderr);
  return stderr.replace(/^.*?refused: /, '').trim();
}

/** Bytes with a text that is another one of the same length. */
function changed(bytes, from, to) {
  const text = Buffer.from(bytes).toString('latin1');
  assert.ok(text.includes(from) && from.length === to.length, from);
  return Buffer.from(text.replace(from, to), 'latin1');
}

test('C opens what save() writes in float32, float16 and bfloat16, and refuses the rest by name', async () => {
  const model = saving.model({
    ...{ kind: 'gpt', vocab: 12, dModel: 8, heads: 4, kvHeads: 2, layers: 2, maxLength: 16 },
    ...{ positions: 'rotary', norm: 'rms', activation: 'swiglu', rotaryBase: 12345.5 },
    ...{ epsilon: 1e-6, bias: false, remove: ['scale', 'residual'], seed: 5 },
  });
  const bytes = model.save();
  model.dispose();
  for (const saved of [bytes, narrowed(bytes, 'f16'), narrowed(bytes, 'bf16')]) {
    const file = written('model.safetensors', saved);
    assert.deepEqual(inC(file, [1, 2]), await inJavaScript(file, [1, 2]));
  }
  const foreign = readFileSync(path.join(fixtures, 'gpt2/model.safetensors'));
  for (const [content, reason] of [
    [bytes.subarray(0, bytes.length - 4), /a tensor ends beyond the file/],
    [foreign, /a file of model\.save/],
    [changed(bytes, 'dModel\\":8', 'dModel\\":x'), /the config is not that of a model/],
    [changed(bytes, 'dModel\\":8', 'dModel\\":7'), /the config is not that of a model/],
    [changed(bytes, 'dFF\\":32', 'dFF\\":16'), /has another shape .*gate\.weight$/],
    [changed(bytes, 'layers\\":2', 'layers\\":3'), /model is missing.* decoder\.layers\.2\.\S+$/],
    [changed(bytes, '"rotary', '"rotery'), /the config is not that of a model/],
  ]) {
    assert.match(refusal(content), reason);
  }
});

/** A small Llama with other metadata. @param {Record<string, unknown>} more */
const small = (more) => smallGguf(/** @type {any} */ (more));
/** A Llama of no layers, with other tensors: name, type, shape, bytes. */
const tiny = (tensors, more = {}) =>
  gguf(
    {
      'general.architecture': [STRING, 'llama'],
      ...{ 'llama.context_length': [U32, 8], 'llama.embedding_length': [U32, 4] },
      ...{ 'llama.block_count': [U32, 0], 'llama.feed_forward_length': [U32, 4] },
      'llama.attention.head_count': [U32, 2],
      ...more,
    },
    tensors,
  );
const TABLE = ['token_embd.weight', 'F32', [2, 4], new Uint8Array(32)];
const NORM = ['output_norm.weight', 'F32', [4], new Uint8Array(16)];
const good = small({});
/** A good file with other bytes at a place. @param {number} place @param {number[]} bytes */
function put(place, ...bytes) {
  const copy = good.slice();
  copy.set(bytes, place);
  return copy;
}

for (const [what, bytes, reason] of [
  ['another version', put(4, 1), /expected version 2 or 3:$/],
  ['more tensors than bytes', put(8, 0, 0, 0, 0, 1), /a count is larger than the header:$/],
  [
    'a file cut in its header',
    good.subarray(0, 100),
    /ends beyond the file|larger than the header/,
  ],
  ['a file cut in its data', good.subarray(0, -40), /a tensor ends beyond the file/],
  [
    'an unknown architecture',
    small({ 'general.architecture': [STRING, 'mamba'] }),
    /expected llama.* mamba$/,
  ],
  [
    'a setting that is not computed',
    small({ 'llama.attention.clamp_kqv': [F32, 8] }),
    /setting .*clamp_kqv$/,
  ],
  ['experts', small({ 'llama.expert_count': [U32, 8] }), /setting .*expert_count$/],
  [
    'heads of another size',
    small({ 'llama.attention.key_length': [U32, 8] }),
    /setting .*key_length$/,
  ],
  ['a flag for a size', small({ 'llama.block_count': [BOOL, 1] }), /setting .*block_count$/],
  ['a size of 0', small({ 'llama.attention.head_count': [U32, 0] }), /setting .*head_count$/],
  [
    'heads that do not divide the width',
    small({ 'llama.attention.head_count': [U32, 3] }),
    /setting .*dimension_count$/,
  ],
  [
    'scaling without its factor',
    small({ 'llama.rope.scaling.type': [STRING, 'linear'] }),
    /factor of linear scaling.* is missing/,
  ],
  [
    'a scaling that is not computed',
    small({ 'llama.rope.scaling.type': [STRING, 'yarn'] }),
    /setting .*scaling\.type$/,
  ],
  [
    'one of several parts',
    small({ 'split.count': [U32, 3] }),
    /one of several parts.* split\.count$/,
  ],
  ['an odd alignment', small({ 'general.alignment': [U32, 24] }), /setting .*general\.alignment$/],
  [
    'a key twice',
    changed(small({ 'a.x': [U32, 1], 'b.x': [U32, 1] }), 'b.x', 'a.x'),
    /comes twice.* a\.x$/,
  ],
  ['a name twice', tiny([TABLE, TABLE]), /comes twice.* token_embd\.weight/],
  ['no dimension', tiny([['x', 'F32', [], new Uint8Array(4)]]), /1 to 4 dimensions.* x$/],
  ['an empty dimension', tiny([['x', 'F32', [0, 2], new Uint8Array(0)]]), /1 to 4 dimensions/],
  [
    'a size beyond all',
    tiny([['x', 'F32', [2 ** 31, 2 ** 31], new Uint8Array(4)]]),
    /2\^53 - 1 bytes/,
  ],
  [
    'a type that is not read',
    tiny([['x', 10, [256], new Uint8Array(84)]]),
    /another type than Q4_0.* x$/,
  ],
  [
    'rows that no blocks fill',
    tiny([['x', 'Q4_0', [2, 48], new Uint8Array(54)]]),
    /no whole blocks.* x$/,
  ],
  [
    'a missing parameter',
    tiny([TABLE]),
    /a parameter of the model is missing.* decoder\.norm\.weight$/,
  ],
  ['no embedding', tiny([NORM]), /token_embd\.weight is missing/],
  [
    'another shape',
    tiny([TABLE, ['output_norm.weight', 'F32', [8], new Uint8Array(32)]]),
    /another shape.* output_norm/,
  ],
  [
    'a tensor too many',
    tiny([TABLE, NORM, ['x', 'F32', [1], new Uint8Array(4)]]),
    /no parameter of the model: x$/,
  ],
]) {
  test(`C refuses a GGUF: ${what}`, async () => {
    assert.match(refusal(bytes), reason);
    await assert.rejects(openCheckpoint(bytes), { code: 'GF_EFILE' });
  });
}

test('C names every architecture that JavaScript opens', () => {
  const words = refusal(small({ 'general.architecture': [STRING, 'mamba'] }));
  for (const name of Object.keys(GGUF.architectures)) assert.ok(words.includes(name), name);
});

test('C refuses a GGUF whose keys could not be told as they are', () => {
  const key = changed(small({ 'a.x': [U32, 1] }), 'a.x', 'a\n.');
  assert.match(refusal(key), /expected printable ASCII in keys and names:$/);
});
