// GPT-Neo of Hugging Face's transformers: GPT-2, whose scores are not scaled, and whose layers are global, or local: tokens
// see only those just before them. Weights are [out, in].

import { gpt2 } from './gpt2.js';
import { under } from './table.js';
import { windowedLayers, windowsIn, windowsOf } from './windows.js';

/** Of each layer: "global" or "local". The setting lists kinds, and how often each list comes again.
 * @param {unknown} types @returns {unknown[]} */
function layersOf(types) {
  if (!Array.isArray(types) || types.length > 1024) return [];
  return types.flatMap((part) => {
    const [kinds, times] = Array.isArray(part) ? part : [];
    const fits = Array.isArray(kinds) && Number.isInteger(times) && kinds.length * times <= 1024;
    return fits ? Array.from({ length: times }, () => kinds).flat() : [undefined];
  });
}

/** @param {import('./table.js').Settings} given */
function windows(given) {
  const kinds = layersOf(given.attention_types);
  const known = kinds.every((kind) => kind === 'global' || kind === 'local');
  if (!known || kinds.length !== given.num_layers) return null;
  const local = kinds.map((kind) => kind === 'local');
  return windowsOf(given.window_size, local, given.max_position_embeddings);
}

/** @type {import('./table.js').Family} */
export const neo = {
  ...gpt2,
  types: ['gpt_neo'],
  ignored: /^h\.\d+\.attn\.attention\.(bias|masked_bias)$/,
  settings: {
    vocab: 'vocab_size',
    maxLength: 'max_position_embeddings',
    dModel: 'hidden_size',
    heads: 'num_heads',
    dFF: 'intermediate_size',
    layers: 'num_layers',
    activation: gpt2.settings.activation,
    tied: 'tie_word_embeddings',
    epsilon: 'layer_norm_epsilon',
    dropout: 'resid_dropout',
  },
  defaults: (given) => ({
    intermediate_size: 4 * Number(given.hidden_size),
    activation_function: 'gelu_new',
    tie_word_embeddings: true,
    layer_norm_epsilon: 1e-5,
    resid_dropout: 0,
    window_size: 256,
    attention_types: [[['global', 'local'], Number(given.num_layers) / 2]],
  }),
  demands: (given) => ({
    scale_attn_weights: undefined,
    attention_types: windows(given) ? given.attention_types : 'an even order of global and local',
  }),
  read: (given, file) => ({ ...gpt2.read(given, file), ...windows(given) }),
  write: (config) => ({
    architectures: ['GPTNeoForCausalLM'],
    attention_types: [[windowedLayers(config).map((local) => (local ? 'local' : 'global')), 1]],
    window_size: config.window ?? config.maxLength,
    embed_dropout: config.dropout,
    attention_dropout: 0,
  }),
  fixed: (config) => ({
    ...gpt2.fixed(config),
    qkvUnbiased: true,
    unscaled: true,
    ...windowsIn(config),
  }),
  rows: (config) => [
    ...gpt2.rows(config).filter(([ours]) => !/\.layers\./.test(ours)),
    ...under('decoder.layers.{i}', 'transformer.h.{i}', [
      ['norm1.{p}', 'ln_1.{p}'],
      ['self_attn.{x}_proj.{p}', 'attn.attention.{x}_proj.{p}', 'transposed'],
      ['self_attn.out_proj.{p}', 'attn.attention.out_proj.{p}', 'transposed'],
      ['norm2.{p}', 'ln_2.{p}'],
      ['linear1.{p}', 'mlp.c_fc.{p}', 'transposed'],
      ['linear2.{p}', 'mlp.c_proj.{p}', 'transposed'],
    ]),
  ],
};
