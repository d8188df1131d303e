// What a GGUF file says, in the words of Hugging Face's config.json and model.safetensors: so one table of a family
// serves both.

import { GGUF, LLAMA3 } from '../../generated/families.js';
import { idsOf } from '../formats/token-lists.js';
import { evaluate } from './family.js';
import { describe } from './settings.js';
import { refusing } from './texts.js';

/** @typedef {import('../formats/gguf.js').Metadata} Metadata */
/** @typedef {import('../formats/gguf.js').Value} Value */
/** @typedef {import('../formats/stored.js').StoredTensor} StoredTensor */
/** @typedef {import('../formats/token-lists.js').TokenLists} TokenLists */
/** @typedef {import('./table.js').Family} Family */

/** A tensor; pairs: the rows of each head, of so many, are in the order of rotation in neighbours.
 * @typedef {StoredTensor & { pairs?: number }} Ordered */

/** What a container says of a model.
 * @typedef {object} Said
 * @property {Record<string, unknown>} config as config.json has it
 * @property {Map<string, Ordered>} tensors as model.safetensors names them */

/** How llama.cpp's names of one architecture become those of Hugging Face's: the build makes it of families.json.
 * @typedef {object} Architecture
 * @property {string} type model_type
 * @property {Record<string, string>} settings theirs: ours
 * @property {Record<string, import('./table.js').Form>} demands what a setting must be, by ours and the headSize
 * @property {import('./table.js').Form} [headSize] by ours
 * @property {Record<string, string>} names {i} is a layer
 * @property {boolean} [pairs] rows of queries and keys are in the order of rotation in neighbours */

const PART = 'GGUF';
/** @type {import('./texts.js').Refuse} */
const refuse = refusing(PART);

/** A family's table for its tensors in a GGUF: weights are [out, in], and all heads' queries come before their keys and
 * values.
 * @param {Family} family
 * @returns {Family} */
export const inGguf = (family) => ({
  ...family,
  rows: family.rows.map(([ours, theirs, how, ...when]) => {
    const isLinear = how === 'by-head' || (!how && /\.(self_attn|linear\d)\b/.test(ours));
    return [ours, theirs, isLinear && !/_norm\./.test(ours) ? 'transposed' : how, ...when];
  }),
});

/** Rotation turns neighbours in the file, and the halves of a head with Hugging Face.
 * @param {number} size of a head
 * @returns {(row: number) => number} */
export const fromNeighbours = (size) => (row) => {
  const within = row % size;
  return row - within + (within % 2) * (size / 2) + Math.floor(within / 2);
};

/** The name of a tensor in the words of Hugging Face, or its own if it has none.
 * @param {Record<string, string>} names @param {string} name */
function renamed(names, name) {
  const [, stem, end] = /^(.*)\.(weight|bias)$/.exec(name) ?? [];
  if (!stem) return name;
  const layer = /^blk\.(\d+)\./.exec(stem)?.[1];
  const pattern = layer === undefined ? stem : stem.replace(`blk.${layer}.`, 'blk.{i}.');
  return Object.hasOwn(names, pattern)
    ? `${names[pattern].replace('{i}', layer ?? '')}.${end}`
    : name;
}

/** The settings of an architecture, and the channels of a head.
 * @param {string} name @param {Architecture} architecture @param {Metadata} metadata */
function settingsOf(name, { settings, demands, headSize }, metadata) {
  /** @type {Record<string, unknown>} */
  const config = {};
  /** @type {[string, Value][]} */
  const others = [];
  for (const [key, value] of metadata) {
    if (!key.startsWith(`${name}.`)) continue;
    const setting = key.slice(name.length + 1);
    if (Object.hasOwn(settings, setting)) config[settings[setting]] = value;
    else if (!GGUF.ignored.includes(setting)) others.push([setting, value]);
  }
  const size = evaluate(headSize, config);
  for (const [setting, value] of others) {
    const where = `${name}.${setting}`;
    if (!Object.hasOwn(demands, setting)) refuse('settingUnread', { value: where });
    const expected = evaluate(demands[setting], { ...config, headSize: size });
    if (value !== expected)
      refuse('valueAs', { where, expected: describe(expected), described: describe(value) });
  }
  return { config, size: Number(size) };
}

/** @param {Metadata} metadata @param {Map<string, StoredTensor>} stored
 * @returns {Said} */
export function ofGguf(metadata, stored) {
  const name = metadata.get('general.architecture');
  const { architectures } = GGUF;
  if (typeof name !== 'string' || !Object.hasOwn(architectures, name)) {
    const words = Object.keys(architectures).join(', ');
    return refuse('word', { where: 'general.architecture', words, given: name });
  }
  const { type, names, pairs } = architectures[name];
  const { config, size } = settingsOf(name, architectures[name], metadata);
  /** @type {Map<string, Ordered>} */
  const tensors = new Map();
  for (const [theirs, tensor] of stored) {
    const ordered = pairs && /\.attn_[qk]\.(weight|bias)$/.test(theirs);
    tensors.set(renamed(names, theirs), { ...tensor, pairs: ordered ? size : undefined });
  }
  if (config['rope_scaling.rope_type'] === 'none') delete config['rope_scaling.rope_type'];
  const rotated = Number(config.rotary_channels);
  return {
    config: {
      model_type: type,
      vocab_size: stored.get('token_embd.weight')?.shape[0],
      tie_word_embeddings: !stored.has('output.weight'),
      attention_bias: stored.has('blk.0.attn_q.bias') || stored.has('blk.0.attn_qkv.bias'),
      ...(pairs && { mlp_bias: stored.has('blk.0.ffn_gate.bias') }),
      ...(size && { head_dim: size }),
      /* What is rounded down to these channels again. */
      ...(rotated && { rotary_pct: (rotated + 0.5) / size }),
      ...config,
    },
    tensors,
  };
}

/** The setting behind a GGUF's rope_freqs: how many times slower each pair is rotated. All models of Llama 3 have the same
 * settings, and factors of 8 or 32. Null: they are not Llama 3's.
 * @param {Float32Array} slower @param {number} base */
export function scalingOf(slower, base) {
  const factor = slower.reduce((a, b) => Math.max(a, b));
  const { low_freq_factor: low, high_freq_factor: high } = LLAMA3;
  const fits = slower.every((value, i) => {
    const turns =
      LLAMA3.original_max_position_embeddings / (2 * Math.PI * base ** (i / slower.length));
    const share = Math.min(1, Math.max(0, (turns - low) / (high - low)));
    return Math.abs(value * ((1 - share) / factor + share) - 1) < 1e-4;
  });
  return fits && factor > 0 ? { ...LLAMA3, factor } : null;
}

// ---- The tokenizer ----

/** @param {unknown} value
 * @returns {value is string[]} */
const areTexts = (value) => Array.isArray(value) && value.every((text) => typeof text === 'string');

/** What llama.cpp takes for the tokens of SentencePiece where a file says nothing. */
const LLAMA_IDS = { unknown: 0, bos: 1, eos: 2 };

/** The lists of a file's tokenizer; null if it has none.
 * @param {Metadata} metadata
 * @returns {TokenLists | null} */
export function tokenListsOf(metadata) {
  /** @param {string} key */
  const setting = (key) => /** @type {any} */ (metadata.get(`tokenizer.ggml.${key}`));
  const model = setting('model');
  if (model === undefined) return null;
  if (model !== 'gpt2' && model !== 'llama') {
    refuse('word', { where: 'tokenizer.ggml.model', words: 'gpt2, llama', given: model });
  }
  /** @param {string} key */
  const texts = (key) => {
    const list = setting(key);
    if (!areTexts(list)) refuse('textArray', { where: `tokenizer.ggml.${key}`, given: list });
    return list;
  };
  /** @param {string} key */
  const numbers = (key) => {
    const list = setting(key);
    if (list === undefined) return undefined;
    if (ArrayBuffer.isView(list)) return Float64Array.from(/** @type {any} */ (list), Number);
    return refuse('array', { where: `tokenizer.ggml.${key}`, given: list });
  };
  /** @param {string} key */
  const flag = (key) => {
    const value = setting(key);
    if (value === undefined || typeof value === 'boolean') return value;
    return refuse('boolean', { where: `tokenizer.ggml.${key}`, given: value });
  };
  const pre = setting('pre');
  if (pre !== undefined && typeof pre !== 'string') {
    refuse('text', { where: 'tokenizer.ggml.pre', given: pre });
  }
  const tokens = texts('tokens');
  const defaults = Object.entries(model === 'llama' ? LLAMA_IDS : {});
  /** @type {TokenLists} */
  const lists = {
    ...Object.fromEntries(defaults.filter(([, id]) => id < tokens.length)),
    ...{ model, tokens, pre },
    types: numbers('token_type'),
    scores: numbers('scores'),
    merges: model === 'gpt2' ? texts('merges') : [],
    addBos: flag('add_bos_token'),
    addEos: flag('add_eos_token'),
    addSpace: flag('add_space_prefix'),
  };
  for (const name of /** @type {const} */ (['bos', 'eos', 'eot', 'eom', 'unknown'])) {
    lists[name] = setting(`${name}_token_id`) ?? lists[name];
  }
  idsOf(lists, PART, 'tokenizer.ggml.');
  return lists;
}
