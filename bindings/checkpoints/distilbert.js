// DistilBERT of Hugging Face's transformers: BERT without kinds of segments and without a pooler. Its head that predicts
// masked tokens may be there.

import { ACTIVATIONS } from './config.js';
import { under } from './table.js';

const TABLE = 'distilbert.embeddings.word_embeddings.weight';
const HEAD = 'vocab_projector.weight';

/** @type {import('./table.js').Family} */
export const distilbert = {
  types: ['distilbert'],
  prefix: 'distilbert.',
  ignored: /^embeddings\.position_ids$/,
  settings: {
    vocab: 'vocab_size',
    maxLength: 'max_position_embeddings',
    dModel: 'dim',
    heads: 'n_heads',
    dFF: 'hidden_dim',
    layers: 'n_layers',
    activation: { key: 'activation', names: ACTIVATIONS },
    tied: 'tie_word_embeddings',
    dropout: 'dropout',
  },
  defaults: () => ({ activation: 'gelu', tie_word_embeddings: true, dropout: 0.1 }),
  demands: () => ({}),
  read: (given, file) => ({
    tied: file.isTied(given.tie_word_embeddings, HEAD, [TABLE]),
    prediction: file.has('vocab_transform.'),
  }),
  write: ({ prediction }) => ({
    architectures: [prediction ? 'DistilBertForMaskedLM' : 'DistilBertModel'],
    attention_dropout: 0,
  }),
  fixed: ({ heads, prediction, tied }) => ({
    kind: 'bert',
    kvHeads: heads,
    tokenTypes: 0,
    positions: 'learned',
    norm: 'layer',
    preNorm: false,
    finalNorm: false,
    embeddingNorm: true,
    bias: true,
    head: prediction ? 'logits' : 'none',
    tied: tied || !prediction,
    outputBias: prediction,
    scaleEmbedding: false,
    epsilon: 1e-12,
  }),
  rows: () => [
    ['embedding.weight', [TABLE, HEAD]],
    ['encoder.position_embedding.weight', 'distilbert.embeddings.position_embeddings.weight'],
    ['encoder.embedding_norm.{p}', 'distilbert.embeddings.LayerNorm.{p}'],
    ...under('encoder.layers.{i}', 'distilbert.transformer.layer.{i}', [
      ['self_attn.{x}_proj.{p}', 'attention.{x}_lin.{p}', 'transposed'],
      ['self_attn.out_proj.{p}', 'attention.out_lin.{p}', 'transposed'],
      ['norm1.{p}', 'sa_layer_norm.{p}'],
      ['linear1.{p}', 'ffn.lin1.{p}', 'transposed'],
      ['linear2.{p}', 'ffn.lin2.{p}', 'transposed'],
      ['norm2.{p}', 'output_layer_norm.{p}'],
    ]),
    ['prediction.dense.{p}', 'vocab_transform.{p}', 'transposed'],
    ['prediction.norm.{p}', 'vocab_layer_norm.{p}'],
    ['logits.weight', HEAD, 'transposed'],
    ['logits.bias', 'vocab_projector.bias'],
  ],
};
