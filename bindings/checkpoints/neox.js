// GPT-NeoX of Hugging Face's transformers (Pythia): attention and feed-forward beside each other, and a part of each head
// rotated. Weights are [out, in], and each head's queries, keys and values follow each other.

import { ACTIVATIONS } from './config.js';
import { stretchDemands, stretchIn, stretchOf, writeStretch } from './rope.js';
import { under } from './table.js';

const TABLE = 'gpt_neox.embed_in.weight';
const HEAD = 'embed_out.weight';

/** @type {import('./table.js').Family} */
export const neox = {
  types: ['gpt_neox'],
  prefix: 'gpt_neox.',
  /* What transformers 5 calls the head in memory. */
  rename: (key) => key.replace(/^lm_head\./, 'embed_out.'),
  /* The causal mask, what stands for -inf in it, and frequencies that are computed. */
  ignored: /^layers\.\d+\.attention\.(bias|masked_bias|rotary_emb\.inv_freq)$/,
  settings: {
    vocab: 'vocab_size',
    maxLength: 'max_position_embeddings',
    dModel: 'hidden_size',
    heads: 'num_attention_heads',
    dFF: 'intermediate_size',
    layers: 'num_hidden_layers',
    activation: { key: 'hidden_act', names: ACTIVATIONS },
    tied: 'tie_word_embeddings',
    rotaryBase: 'rotary_emb_base',
    epsilon: 'layer_norm_eps',
    dropout: 'hidden_dropout',
    parallel: 'use_parallel_residual',
  },
  defaults: (given) => ({
    hidden_act: 'gelu',
    tie_word_embeddings: false,
    rotary_emb_base: given['rope_parameters.rope_theta'] ?? given.rope_theta ?? 10000,
    rotary_pct: given['rope_parameters.partial_rotary_factor'] ?? 0.25,
    layer_norm_eps: 1e-5,
    hidden_dropout: 0,
    use_parallel_residual: true,
  }),
  demands: (given) => ({ attention_bias: true, ...stretchDemands(given) }),
  read: (given, file) => ({
    ...stretchOf(given),
    tied: file.isTied(given.tie_word_embeddings, HEAD, [TABLE]),
    /* As transformers rounds it. */
    rotarySize: Math.trunc(
      (Number(given.hidden_size) / Number(given.num_attention_heads)) * Number(given.rotary_pct),
    ),
  }),
  write: ({ dModel, heads, rotarySize = dModel / heads, ...config }) => ({
    architectures: ['GPTNeoXForCausalLM'],
    rotary_pct: (rotarySize * heads) / dModel,
    use_parallel_residual: Boolean(config.parallel),
    attention_bias: true,
    attention_dropout: 0,
    ...writeStretch({ dModel, heads, ...config }),
  }),
  fixed: (config) => ({
    kind: 'gpt',
    kvHeads: config.heads,
    positions: 'rotary',
    norm: 'layer',
    preNorm: true,
    finalNorm: true,
    embeddingNorm: false,
    bias: true,
    outputBias: false,
    scaleEmbedding: false,
    interleaved: false,
    rotarySize: config.rotarySize,
    ...stretchIn(config),
  }),
  rows: () => [
    ['embedding.weight', [TABLE, HEAD]],
    ...under('decoder.layers.{i}', 'gpt_neox.layers.{i}', [
      ['norm1.{p}', 'input_layernorm.{p}'],
      ['self_attn.{qkv}_proj.{p}', 'attention.query_key_value.{p}', 'by-head'],
      ['self_attn.out_proj.{p}', 'attention.dense.{p}', 'transposed'],
      ['norm2.{p}', 'post_attention_layernorm.{p}'],
      ['linear1.{p}', 'mlp.dense_h_to_4h.{p}', 'transposed'],
      ['linear2.{p}', 'mlp.dense_4h_to_h.{p}', 'transposed'],
    ]),
    ['decoder.norm.{p}', 'gpt_neox.final_layer_norm.{p}'],
    ['logits.weight', HEAD, 'transposed'],
  ],
};
