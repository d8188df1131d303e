// What a GGUF file says, in the words of Hugging Face's config.json and model.safetensors: so one table of a family
// serves both.

import { idsOf } from '../formats/token-lists.js';
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

/** How llama.cpp's names of one architecture become those of Hugging Face's.
 * @typedef {object} Architecture
 * @property {string} type model_type
 * @property {Record<string, string>} settings theirs: ours
 * @property {Record<string, (config: Record<string, unknown>) => unknown>} demands what a setting must be
 * @property {Record<string, string>} names {i} is a layer
 * @property {boolean} [pairs] rows of queries and keys are in the order of rotation in neighbours */

const PART = 'GGUF';
/** @type {import('./texts.js').Refuse} */
const refuse = refusing(PART);

/** Keys of an architecture that say nothing of what is computed. */
const IGNORED = [
  'vocab_size',
  'tensor_data_layout',
  'rope.scaling.finetuned',
  'rope.scaling.original_context_length',
];

const DECODER = {
  context_length: 'max_position_embeddings',
  embedding_length: 'hidden_size',
  block_count: 'num_hidden_layers',
  feed_forward_length: 'intermediate_size',
  'attention.head_count': 'num_attention_heads',
  'attention.head_count_kv': 'num_key_value_heads',
  'attention.layer_norm_rms_epsilon': 'rms_norm_eps',
  'attention.key_length': 'head_dim',
  'rope.freq_base': 'rope_theta',
  'rope.scaling.type': 'rope_scaling.rope_type',
  'rope.scaling.factor': 'rope_scaling.factor',
};

/** @param {Record<string, unknown>} config */
const headSize = (config) =>
  config.head_dim ?? Number(config.hidden_size) / Number(config.num_attention_heads);

/** @type {Architecture['demands']} */
const DEMANDS = {
  'attention.value_length': headSize,
  'rope.dimension_count': headSize,
  expert_count: () => 0,
  expert_used_count: () => 0,
};

/** @param {string} layer @param {Record<string, string>} names
 * @returns {Record<string, string>} */
const within = (layer, names) =>
  Object.fromEntries(Object.entries(names).map(([a, b]) => [`blk.{i}.${a}`, `${layer}.${b}`]));

const LAYER = 'model.layers.{i}';
const NAMES = {
  token_embd: 'model.embed_tokens',
  output_norm: 'model.norm',
  output: 'lm_head',
  ...within(LAYER, {
    attn_norm: 'input_layernorm',
    attn_q: 'self_attn.q_proj',
    attn_k: 'self_attn.k_proj',
    attn_v: 'self_attn.v_proj',
    attn_output: 'self_attn.o_proj',
    ffn_norm: 'post_attention_layernorm',
    ffn_gate: 'mlp.gate_proj',
    ffn_up: 'mlp.up_proj',
    ffn_down: 'mlp.down_proj',
  }),
};

/** @type {Record<string, Architecture>} */
const ARCHITECTURES = {
  llama: { type: 'llama', settings: DECODER, demands: DEMANDS, names: NAMES, pairs: true },
  qwen2: { type: 'qwen2', settings: DECODER, demands: DEMANDS, names: NAMES },
  qwen3: {
    type: 'qwen3',
    settings: DECODER,
    demands: DEMANDS,
    names: {
      ...NAMES,
      'blk.{i}.attn_q_norm': `${LAYER}.self_attn.q_norm`,
      'blk.{i}.attn_k_norm': `${LAYER}.self_attn.k_norm`,
    },
  },
  gptneox: {
    type: 'gpt_neox',
    settings: {
      context_length: 'max_position_embeddings',
      embedding_length: 'hidden_size',
      block_count: 'num_hidden_layers',
      feed_forward_length: 'intermediate_size',
      'attention.head_count': 'num_attention_heads',
      'attention.layer_norm_epsilon': 'layer_norm_eps',
      'rope.dimension_count': 'rotary_channels',
      'rope.freq_base': 'rotary_emb_base',
      use_parallel_residual: 'use_parallel_residual',
    },
    demands: {},
    names: {
      token_embd: 'gpt_neox.embed_in',
      output_norm: 'gpt_neox.final_layer_norm',
      output: 'embed_out',
      ...within('gpt_neox.layers.{i}', {
        attn_norm: 'input_layernorm',
        attn_qkv: 'attention.query_key_value',
        attn_output: 'attention.dense',
        ffn_norm: 'post_attention_layernorm',
        ffn_up: 'mlp.dense_h_to_4h',
        ffn_down: 'mlp.dense_4h_to_h',
      }),
    },
  },
  gpt2: {
    type: 'gpt2',
    settings: {
      context_length: 'n_positions',
      embedding_length: 'n_embd',
      block_count: 'n_layer',
      feed_forward_length: 'n_inner',
      'attention.head_count': 'n_head',
      'attention.layer_norm_epsilon': 'layer_norm_epsilon',
    },
    demands: {},
    names: {
      token_embd: 'transformer.wte',
      position_embd: 'transformer.wpe',
      output_norm: 'transformer.ln_f',
      output: 'lm_head',
      ...within('transformer.h.{i}', {
        attn_norm: 'ln_1',
        attn_qkv: 'attn.c_attn',
        attn_output: 'attn.c_proj',
        ffn_norm: 'ln_2',
        ffn_up: 'mlp.c_fc',
        ffn_down: 'mlp.c_proj',
      }),
    },
  },
};

/** A family's table for its tensors in a GGUF: weights are [out, in], and all heads' queries come before their keys and
 * values.
 * @param {Family} family
 * @returns {Family} */
export const inGguf = (family) => ({
  ...family,
  rows: (config) =>
    family.rows(config).map(([ours, theirs, how]) => {
      const isLinear = how === 'by-head' || (!how && /\.(self_attn|linear\d)\b/.test(ours));
      return [ours, theirs, isLinear && !/_norm\./.test(ours) ? 'transposed' : how];
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
  const known = names[layer === undefined ? stem : stem.replace(`blk.${layer}.`, 'blk.{i}.')];
  return known ? `${known.replace('{i}', layer ?? '')}.${end}` : name;
}

/** The settings of an architecture.
 * @param {string} name @param {Architecture} architecture @param {Metadata} metadata */
function settingsOf(name, { settings, demands }, metadata) {
  /** @type {Record<string, unknown>} */
  const config = {};
  /** @type {[string, Value][]} */
  const others = [];
  for (const [key, value] of metadata) {
    if (!key.startsWith(`${name}.`)) continue;
    const own = key.slice(name.length + 1);
    if (Object.hasOwn(settings, own)) config[settings[own]] = value;
    else if (!IGNORED.includes(own)) others.push([own, value]);
  }
  for (const [own, value] of others) {
    const where = `${name}.${own}`;
    if (!Object.hasOwn(demands, own)) refuse('settingUnread', { value: where });
    const expected = demands[own](config);
    if (value !== expected)
      refuse('valueAs', { where, expected: String(expected), described: String(value) });
  }
  return config;
}

/** @param {Metadata} metadata @param {Map<string, StoredTensor>} stored
 * @returns {Said} */
export function ofGguf(metadata, stored) {
  const name = metadata.get('general.architecture');
  if (typeof name !== 'string' || !Object.hasOwn(ARCHITECTURES, name)) {
    const words = Object.keys(ARCHITECTURES).join(', ');
    return refuse('word', { where: 'general.architecture', words, given: name });
  }
  const architecture = ARCHITECTURES[name];
  const config = settingsOf(name, architecture, metadata);
  const size = Number(headSize(config));
  /** @type {Map<string, Ordered>} */
  const tensors = new Map();
  for (const [theirs, tensor] of stored) {
    const ordered = architecture.pairs && /\.attn_[qk]\.(weight|bias)$/.test(theirs);
    const pairs = ordered ? size : undefined;
    tensors.set(renamed(architecture.names, theirs), { ...tensor, pairs });
  }
  if (config['rope_scaling.rope_type'] === 'none') delete config['rope_scaling.rope_type'];
  const rotated = Number(config.rotary_channels);
  return {
    config: {
      model_type: architecture.type,
      vocab_size: stored.get('token_embd.weight')?.shape[0],
      tie_word_embeddings: !stored.has('output.weight'),
      attention_bias: stored.has('blk.0.attn_q.bias') || stored.has('blk.0.attn_qkv.bias'),
      ...(architecture.pairs && { mlp_bias: stored.has('blk.0.ffn_gate.bias') }),
      ...(size && { head_dim: size }),
      /* What is rounded down to these channels again. */
      ...(rotated && { rotary_pct: (rotated + 0.5) / size }),
      ...config,
    },
    tensors,
  };
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
  const said = (key) => /** @type {any} */ (metadata.get(`tokenizer.ggml.${key}`));
  const model = said('model');
  if (model === undefined) return null;
  if (model !== 'gpt2' && model !== 'llama') {
    refuse('word', { where: 'tokenizer.ggml.model', words: 'gpt2, llama', given: model });
  }
  /** @param {string} key */
  const texts = (key) => {
    const list = said(key);
    if (!areTexts(list)) refuse('textArray', { where: `tokenizer.ggml.${key}`, given: list });
    return list;
  };
  /** @param {string} key */
  const numbers = (key) => {
    const list = said(key);
    if (list === undefined) return undefined;
    if (ArrayBuffer.isView(list)) return Float64Array.from(/** @type {any} */ (list), Number);
    return refuse('array', { where: `tokenizer.ggml.${key}`, given: list });
  };
  /** @param {string} key */
  const flag = (key) => {
    const value = said(key);
    if (value === undefined || typeof value === 'boolean') return value;
    return refuse('boolean', { where: `tokenizer.ggml.${key}`, given: value });
  };
  const pre = said('pre');
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
    lists[name] = said(`${name}_token_id`) ?? lists[name];
  }
  idsOf(lists, PART, 'tokenizer.ggml.');
  return lists;
}
