// GPT-2 of Hugging Face's transformers. Its Conv1D keeps weights as [in, out], as we do.

import { ACTIVATIONS } from './config.js';
import { under } from './table.js';

const TABLE = 'transformer.wte.weight';
const HEAD = 'lm_head.weight';

/** @type {import('./table.js').Family} */
export const gpt2 = {
  types: ['gpt2'],
  prefix: 'transformer.',
  /* The causal mask, and what stands for -inf in it. */
  ignored: /^h\.\d+\.attn\.(bias|masked_bias)$/,
  settings: {
    vocab: 'vocab_size',
    maxLength: 'n_positions',
    dModel: 'n_embd',
    heads: 'n_head',
    dFF: 'n_inner',
    layers: 'n_layer',
    activation: { key: 'activation_function', names: ACTIVATIONS },
    tied: 'tie_word_embeddings',
    epsilon: 'layer_norm_epsilon',
    dropout: 'resid_pdrop',
  },
  defaults: ({ n_embd }) => ({
    n_inner: 4 * Number(n_embd),
    activation_function: 'gelu_new',
    tie_word_embeddings: true,
    layer_norm_epsilon: 1e-5,
    resid_pdrop: 0.1,
  }),
  demands: () => ({
    scale_attn_weights: true,
    scale_attn_by_inverse_layer_idx: false,
    add_cross_attention: false,
  }),
  read: (given, file) => ({ tied: file.isTied(given.tie_word_embeddings, HEAD, [TABLE]) }),
  write: ({ dropout }) => ({
    architectures: ['GPT2LMHeadModel'],
    embd_pdrop: dropout,
    attn_pdrop: 0,
  }),
  fixed: ({ heads }) => ({
    kind: 'gpt',
    kvHeads: heads,
    positions: 'learned',
    norm: 'layer',
    preNorm: true,
    finalNorm: true,
    embeddingNorm: false,
    bias: true,
    outputBias: false,
    scaleEmbedding: false,
  }),
  rows: () => [
    ['embedding.weight', [TABLE, HEAD]],
    ['decoder.position_embedding.weight', 'transformer.wpe.weight'],
    ...under('decoder.layers.{i}', 'transformer.h.{i}', [
      ['norm1.{p}', 'ln_1.{p}'],
      ['self_attn.{qkv}_proj.{p}', 'attn.c_attn.{p}'],
      ['self_attn.out_proj.{p}', 'attn.c_proj.{p}'],
      ['norm2.{p}', 'ln_2.{p}'],
      ['linear1.{p}', 'mlp.c_fc.{p}'],
      ['linear2.{p}', 'mlp.c_proj.{p}'],
    ]),
    ['decoder.norm.{p}', 'transformer.ln_f.{p}'],
    ['logits.weight', HEAD, 'transposed'],
  ],
};
