// Checkpoints of others for tests/python/test_others.py: files, and what Node makes of them.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { exportModel } from '../../bindings/index.js';
import { readSafetensors, writeSafetensors } from '../../bindings/js/formats/safetensors.js';
import { byteCharacters } from '../../bindings/models/formats/token-lists.js';
import { generateText } from '../../bindings/models/text/index.js';
import { load, openCheckpoint } from '../../bindings/models.js';
import {
  BOOL,
  bytesOf,
  F32,
  gguf,
  gptGguf,
  I32,
  llama2c,
  llamaGguf,
  STRING,
  tokenizerBin,
  U32,
} from '../support/gguf.js';
import { full } from '../support/sample.js';
import { smallGguf, TOKENS } from '../support/small-gguf.js';

const fixtures = path.resolve(import.meta.dirname, '../reference/fixtures');
const gf = await load();

/** @param {string} name of a fixture */
function fixture(name) {
  const config = JSON.parse(readFileSync(path.join(fixtures, name, 'config.json'), 'utf8'));
  const { tensors } = readSafetensors(readFileSync(path.join(fixtures, name, 'model.safetensors')));
  return { config, tensors };
}

/** Ids that every fixture has, and what a model of its kind is run on. */
const IDS = { kind: { transformer: ['source', 'target'] }, ids: [5, 3, 7, 2] };

/** Words, digits, blanks and signs of many kinds. */
const TEXTS = [
  "the cat's sat on the 12345 mats, I'LL\n\n  see… ½ ٣ 猫😀é\t\u00a0\u3000x\r\n 'ſ",
  '',
  '  the cat sat on<|im_start|>the\nc<|im_end|> <|im_',
];

/** What a tokenizer makes of them: ids, and text of these.
 * @param {import('../../bindings/models/formats/token-lists.js').ListedTokenizer} tokenizer */
const read = (tokenizer) =>
  TEXTS.map((text) => {
    const ids = tokenizer.encode(text);
    /* Of the cut one the last character is not whole. */
    const cut = ids.slice(0, -2);
    return {
      text,
      ids,
      bare: tokenizer.encode(text, { special: false }),
      decoded: [tokenizer.decode(ids), tokenizer.decode(cut)],
      tokens: tokenizer.tokens(ids),
    };
  });

/** What a model writes behind a text, part by part. */
async function writtenBy(model, tokenizer) {
  const parts = [];
  for await (const part of generateText(model, tokenizer, 'the cat', { maxNewTokens: 12 })) {
    parts.push(part);
  }
  return parts;
}

/** Where the name of a family is not that of the format in which it is written. */
const FORMATS = { glassformer: 'torch', mistral: 'llama' };

/** What a gpt whose matrices are integers makes of some ids in that arithmetic; null of all others.
 * @param {import('../../bindings/models.js').Checkpoint} checkpoint @param {number[]} ids
 * @param {(arrays: any[]) => string} hashOf */
async function inIntegers(checkpoint, ids, hashOf) {
  if (checkpoint.config.kind !== 'gpt') return null;
  const model = await gf.openModel(checkpoint, { arithmetic: 'integer' }).catch(() => null);
  if (!model) return null;
  const { tape } = model.forward({ target: [ids] });
  return hashOf(tape.nodes.filter(({ stored }) => !stored).map(({ data }) => data));
}

/** What Node makes of a file: every number that a run computes, and what it writes.
 * @param {string} file @param {(arrays: any[]) => string} hashOf */
async function told(file, hashOf) {
  const beside = `${file}.tokens`;
  const tokens = existsSync(beside) ? { tokenizer: beside } : {};
  const checkpoint = await openCheckpoint(file, tokens);
  const model = await gf.openModel(checkpoint);
  const { kind, vocab, head } = model.config;
  const names = IDS.kind[kind] ?? ['target'];
  const run = model.forward(Object.fromEntries(names.map((name) => [name, [IDS.ids]])));
  const { nodes } = run.tape;
  const isWriter = kind !== 'bert' && head === 'logits' && vocab > 0;
  const options = { maxNewTokens: 5, ...(kind === 'transformer' && { stopTokens: [] }) };
  const one = {
    file,
    names: nodes.map(({ name }) => name),
    values: hashOf(nodes.map(({ data }) => data)),
    integer: await inIntegers(checkpoint, IDS.ids, hashOf),
    tokens: isWriter ? model.generateSync(IDS.ids, options) : null,
    labels: checkpoint.labels,
    tokenizer: tokens.tokenizer ?? null,
    texts: checkpoint.tokenizer && read(checkpoint.tokenizer),
    stops: checkpoint.tokenizer?.stops,
    template: checkpoint.chatTemplate,
    written: null,
    stored: {},
    format: FORMATS[checkpoint.family] ?? checkpoint.family,
  };
  if (file.endsWith('small.gguf')) one.written = await writtenBy(model, checkpoint.tokenizer);
  const exported = exportModel(model, one.format);
  one.exported = { config: exported.config, weights: hashOf([exported.bytes]) };
  const stored = await gf.openModel(checkpoint, { stored: true });
  for (const [name, { type }] of stored.stored) one.stored[name] = type;
  stored.dispose();
  run.dispose();
  model.dispose();
  return one;
}

/** A Llama whose rotation is stretched as a GGUF says it: by divisors of the frequencies.
 * @param {(divisor: number) => number} change */
function stretched(change) {
  const { config, tensors } = fixture('llama-odd-0');
  const size = config.hidden_size / config.num_attention_heads;
  const { metadata, list } = llamaGguf(config, tensors, {}, { parts: true });
  /* As llama.cpp's converter computes them from factor 8, 1, 4 and 8192. */
  const divisors = Array.from({ length: size / 2 }, (_, i) => {
    const turns = 8192 / (2 * Math.PI * config.rope_parameters.rope_theta ** ((2 * i) / size));
    const smooth = Math.min(1, Math.max(0, (turns - 1) / 3));
    return change(1 / ((1 - smooth) / 8 + smooth));
  });
  list.push(['rope_freqs.weight', 'F32', [size / 2], bytesOf(Float32Array.from(divisors))]);
  return gguf(metadata, list);
}

/** A folder of a translator that has its sinusoids, as old files do, beside its weights.
 * @param {string} folder @param {(angle: number) => number} first of the two waves */
function withPositions(folder, first) {
  const { config, tensors } = fixture('marian');
  const { d_model: width, max_position_embeddings: length } = config;
  const half = Math.ceil(width / 2);
  const data = Float32Array.from({ length: length * width }, (_, i) => {
    const [position, column] = [Math.floor(i / width), i % width];
    const angle = position / 10000 ** ((2 * (column % half)) / width);
    return column < half ? first(angle) : Math.cos(angle);
  });
  const all = new Map(tensors);
  all.set('model.encoder.embed_positions.weight', { shape: [length, width], data });
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'config.json'), JSON.stringify(config));
  writeFileSync(path.join(folder, 'model.safetensors'), writeSafetensors(all));
  return path.join(folder, 'model.safetensors');
}

/** Files with a tokenizer of each kind.
 * @returns {Record<string, Uint8Array>} */
function vocabularies() {
  /* Patterns part digits in other ways, and of two tokens that stand in a text the longer one counts. */
  const merges = ['1 2', '12 3', '4 5', "' L", '. .', 't h'];
  const joined = merges.map((pair) => pair.replace(' ', ''));
  const longer = '<|im_start|>the';
  const tokens = [...new Set([...TOKENS, ...byteCharacters(), ...joined, longer])];
  const types = tokens.map((token, id) => (id < 2 || token === longer ? 3 : id === 3 ? 4 : 1));
  const bytes = Array.from({ length: 256 }, (_, b) => {
    return `<0x${b.toString(16).toUpperCase().padStart(2, '0')}>`;
  });
  const pieces = [...'▁thecason.,é猫', '▁t', 'he', 'at', '▁the', '▁c', '▁cat', 'th', '▁▁', 'the'];
  const scored = ['<unk>', '<s>', '</s>', ...bytes, ...pieces];
  /** @param {Record<string, [any, any]>} more */
  const made = (more) =>
    smallGguf(
      Object.fromEntries(Object.entries(more).map(([key, one]) => [`tokenizer.${key}`, one])),
    );
  const byMerges = (/** @type {string} */ pre, /** @type {object} */ more = {}) =>
    made({
      'ggml.tokens': [[STRING], tokens],
      'ggml.token_type': [[I32], types],
      'ggml.merges': [[STRING], merges],
      'ggml.pre': [STRING, pre],
      ...more,
    });
  const byScores = (/** @type {object} */ more = {}) =>
    made({
      'ggml.model': [STRING, 'llama'],
      'ggml.tokens': [[STRING], scored],
      'ggml.token_type': [[I32], scored.map((_, id) => [2, 3, 3][id] ?? (id < 259 ? 6 : 1))],
      'ggml.scores': [[F32], scored.map((_, id) => (id < 259 ? 0 : -((id * 7) % 29) - 1))],
      'ggml.unknown_token_id': [U32, 0],
      ...more,
    });
  return {
    'gpt-2.gguf': byMerges('gpt-2', { 'ggml.add_bos_token': [BOOL, true] }),
    'smollm.gguf': byMerges('smollm'),
    'llama-bpe.gguf': byMerges('llama-bpe'),
    'qwen2.gguf': byMerges('qwen2', { 'ggml.add_eos_token': [BOOL, true] }),
    'scores.gguf': byScores(),
    'unspaced.gguf': byScores({ 'ggml.add_space_prefix': [BOOL, false] }),
  };
}

/** Files of other containers, written from the fixtures.
 * @param {string} folder */
function written(folder) {
  const of = (name, make) => {
    const { config, tensors } = fixture(name);
    return make(config, tensors);
  };
  const files = {
    'small.gguf': smallGguf(),
    ...vocabularies(),
    'qwen2-odd.gguf': of('qwen2-odd-0', (config, tensors) =>
      llamaGguf(config, tensors, {}, { architecture: 'qwen2' }),
    ),
    'qwen3.gguf': of('qwen3-odd-0', (config, tensors) =>
      llamaGguf(config, tensors, {}, { architecture: 'qwen3' }),
    ),
    'neox.gguf': of('neox-odd-0', (config, tensors) => gptGguf('gptneox', config, tensors)),
    'gpt2.gguf': of('gpt2', (config, tensors) =>
      gptGguf('gpt2', { ...config, n_inner: 4 * config.n_embd }, tensors),
    ),
    'stretched.gguf': stretched((divisor) => divisor),
    'llama.bin': of('llama', (config, tensors) => llama2c(config, tensors)),
    'llama.bin.tokens': of('llama', ({ vocab_size: n }) => {
      const tokens = ['<unk>', '\n<s>\n', '\n</s>\n', ...' thecas', 'he', ' the', ' c', 'at'];
      const all = Array.from({ length: n }, (_, id) => tokens[id] ?? `<${id}>`);
      return tokenizerBin(
        all,
        all.map((_, id) => -id),
      );
    }),
    'llama-1.bin': of('llama-tied', (config, tensors) => llama2c(config, tensors, 1)),
  };
  for (const [name, bytes] of Object.entries(files)) writeFileSync(path.join(folder, name), bytes);
  const models = Object.keys(files).filter((name) => !name.endsWith('.tokens'));
  return models.map((name) => path.join(folder, name));
}

/** Safetensors that are wrong in their header, in one way each. */
function hostile() {
  const x = '"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}';
  const headers = {
    sign: '{"é😀"',
    string: '{1',
    unicode: '{"é\\ud800":1}',
    integer: '{"x":{"shape":[01]}}',
    more: `{${x}}}`,
    twice: `{${x},"\\u0078":{"dtype":"F32","shape":[0],"data_offsets":[4,4]}}`,
    notes: '{"__metadata__":{"a":"1","a":"2"}}',
    field: '{"x":{"dtype":"F32","dtype":"F16"}}',
    unknown: '{"x":{"name":"F32"}}',
    fields: '{"x":{"dtype":"F32"}}',
    dtype: '{"x":{"dtype":"F8_E4M3","shape":[4],"data_offsets":[0,4]}}',
    many: '{"x":{"data_offsets":[0,4,8]}}',
    beyond: `{"x":{"dtype":"F32","shape":[${2 ** 52},${2 ** 52}],"data_offsets":[0,4]}}`,
    offsets: '{"x":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}',
    overlap: `{${x},"y":{"dtype":"F32","shape":[0],"data_offsets":[1,1]}}`,
    hole: '{"x":{"dtype":"F32","shape":[0],"data_offsets":[1,1]}}',
    end: '{"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}',
    trailing: '{"x":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}}',
  };
  return Object.fromEntries(
    Object.entries(headers).map(([name, header]) => {
      const text = Buffer.from(header);
      const length = Buffer.alloc(8);
      length.writeUInt32LE(text.length);
      return [`${name}.safetensors`, Buffer.concat([length, text, Buffer.alloc(4)])];
    }),
  );
}

/** Files that are refused, and the sentence.
 * @param {string} folder */
async function refused(folder) {
  const own = { rope_theta: 10000, original_max_position_embeddings: 64 };
  const llama3 = { ...own, rope_type: 'llama3', factor: 8 };
  const unfit = {
    type: { model_type: 'qwen' },
    missing: { hidden_size: undefined },
    negative: { num_hidden_layers: -1 },
    text: { hidden_size: '8' },
    value: { hidden_act: 'gelu' },
    heads: { num_attention_heads: 7 },
    groups: { num_key_value_heads: 2 },
    vocab: { vocab_size: 1000 },
    layers: { num_hidden_layers: 3 },
    fewer: { num_hidden_layers: 1 },
    many: { num_hidden_layers: 1000 },
    scaling: { rope_scaling: { rope_type: 'yarn', factor: 2 } },
    faster: { rope_parameters: { ...llama3, low_freq_factor: 4, high_freq_factor: 4 } },
    texts: { rope_parameters: { ...llama3, low_freq_factor: 1, high_freq_factor: '4' } },
    base: { rope_parameters: { rope_theta: 1e-46 } },
    word: { model_type: 'qwen2', use_sliding_window: 1 },
  };
  const name = 'mistral-odd-1';
  const { config } = fixture(name);
  const weights = readFileSync(path.join(fixtures, name, 'model.safetensors'));
  const files = Object.entries(unfit).map(([wrong, change]) => {
    const own = path.join(folder, wrong);
    mkdirSync(own);
    writeFileSync(path.join(own, 'config.json'), JSON.stringify({ ...config, ...change }));
    writeFileSync(path.join(own, 'model.safetensors'), weights);
    return path.join(own, 'model.safetensors');
  });
  const whole = smallGguf();
  const bytes = {
    'cut.gguf': whole.subarray(0, 200),
    'short.gguf': whole.subarray(0, whole.length - 100),
    'version.gguf': Uint8Array.from(whole, (byte, i) => (i === 4 ? 9 : byte)),
    'more.gguf': smallGguf({ 'llama.expert_count': [4, 8] }),
    'other.gguf': smallGguf({ 'general.architecture': [8, 'mamba'] }),
    'freqs.gguf': stretched((divisor) => 1.5 * divisor + 1),
    'long.bin': Buffer.concat([readFileSync(path.join(folder, 'llama.bin')), Buffer.alloc(4)]),
    'zero.bin': Uint8Array.from(readFileSync(path.join(folder, 'llama-1.bin')), (byte, i) =>
      i === 4 ? 0 : byte,
    ),
    'pickle.bin': Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(20)]),
  };
  for (const [name, some] of Object.entries(bytes)) {
    writeFileSync(path.join(folder, name), some);
    files.push(path.join(folder, name));
  }
  files.push(withPositions(path.join(folder, 'cosines'), Math.cos));
  /** @type {Record<string, string>} */
  const sentences = {};
  for (const file of files) {
    await openCheckpoint(file).then(
      () => {
        throw new Error(`${file} was not refused`);
      },
      ({ message }) => {
        sentences[file] = message;
      },
    );
  }
  for (const [name, some] of Object.entries(hostile())) {
    const file = path.join(folder, name);
    writeFileSync(file, some);
    try {
      readSafetensors(some);
    } catch ({ message }) {
      sentences[file] = message;
    }
    if (!sentences[file]) throw new Error(`${file} was not refused`);
  }
  return sentences;
}

/** @param {string} folder where files are written @param {(arrays: any[]) => string} hashOf */
export async function others(folder, hashOf) {
  const named = readdirSync(fixtures, { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  const all = named
    .map(({ name }) => path.join(fixtures, name))
    .filter((own) => readdirSync(own).includes('config.json'));
  /* Of each family one, or all of its odd sizes. */
  const some = all.filter((own) => full || !/-odd-[12]$/.test(own));
  const files = [...some.map((own) => `${own}/model.safetensors`), ...written(folder)];
  files.push(withPositions(path.join(folder, 'sines'), Math.sin));
  const opened = [];
  for (const file of files) opened.push(await told(file, hashOf));
  return { opened, refused: await refused(folder) };
}
