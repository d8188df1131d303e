// BERT of Hugging Face's transformers: weights are [out, in]. Its head that predicts masked tokens may
// be there, and its pooler; the one that tells whether two sentences follow is passed over.

import { ACTIVATIONS } from './config.js';
import { under } from './table.js';

const TABLE = 'bert.embeddings.word_embeddings.weight';
const HEAD = 'cls.predictions.decoder.weight';

/** @type {import('./table.js').Family} */
export const bert = {
  types: ['bert'],
  prefix: 'bert.',
  /* What came from TensorFlow. */
  rename: (key) =>
    key
      .replace(/\.LayerNorm\.gamma$/, '.LayerNorm.weight')
      .replace(/\.LayerNorm\.beta$/, '.LayerNorm.bias'),
  ignored: /^(embeddings\.(position_ids|token_type_ids)|cls\.seq_relationship\.(weight|bias))$/,
  settings: {
    vocab: 'vocab_size',
    tokenTypes: 'type_vocab_size',
    maxLength: 'max_position_embeddings',
    dModel: 'hidden_size',
    heads: 'num_attention_heads',
    dFF: 'intermediate_size',
    layers: 'num_hidden_layers',
    activation: { key: 'hidden_act', names: ACTIVATIONS },
    tied: 'tie_word_embeddings',
    epsilon: 'layer_norm_eps',
    dropout: 'hidden_dropout_prob',
  },
  defaults: () => ({
    type_vocab_size: 2,
    hidden_act: 'gelu',
    tie_word_embeddings: true,
    layer_norm_eps: 1e-12,
    hidden_dropout_prob: 0.1,
  }),
  demands: () => ({
    position_embedding_type: 'absolute',
    is_decoder: false,
    add_cross_attention: false,
  }),
  read: (given, file) => ({
    tied: file.isTied(given.tie_word_embeddings, HEAD, [TABLE]),
    pooler: file.has('bert.pooler.'),
    prediction: file.has('cls.predictions.'),
  }),
  write: ({ pooler, prediction }) => ({
    architectures: [prediction ? (pooler ? 'BertForPreTraining' : 'BertForMaskedLM') : 'BertModel'],
    attention_probs_dropout_prob: 0,
  }),
  fixed: ({ heads, prediction, tied }) => ({
    kind: 'bert',
    kvHeads: heads,
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
  }),
  rows: () => [
    ['embedding.weight', [TABLE, HEAD]],
    ['token_type_embedding.weight', 'bert.embeddings.token_type_embeddings.weight'],
    ['encoder.position_embedding.weight', 'bert.embeddings.position_embeddings.weight'],
    ['encoder.embedding_norm.{p}', 'bert.embeddings.LayerNorm.{p}'],
    ...under('encoder.layers.{i}', 'bert.encoder.layer.{i}', [
      ['self_attn.q_proj.{p}', 'attention.self.query.{p}', 'transposed'],
      ['self_attn.k_proj.{p}', 'attention.self.key.{p}', 'transposed'],
      ['self_attn.v_proj.{p}', 'attention.self.value.{p}', 'transposed'],
      ['self_attn.out_proj.{p}', 'attention.output.dense.{p}', 'transposed'],
      ['norm1.{p}', 'attention.output.LayerNorm.{p}'],
      ['linear1.{p}', 'intermediate.dense.{p}', 'transposed'],
      ['linear2.{p}', 'output.dense.{p}', 'transposed'],
      ['norm2.{p}', 'output.LayerNorm.{p}'],
    ]),
    ['pooler.dense.{p}', 'bert.pooler.dense.{p}', 'transposed'],
    ['prediction.dense.{p}', 'cls.predictions.transform.dense.{p}', 'transposed'],
    ['prediction.norm.{p}', 'cls.predictions.transform.LayerNorm.{p}'],
    ['logits.weight', HEAD, 'transposed'],
    ['logits.bias', ['cls.predictions.bias', 'cls.predictions.decoder.bias']],
  ],
};
