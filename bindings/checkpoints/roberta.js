// RoBERTa of Hugging Face's transformers, and its multilingual and French kin: BERT, whose positions are counted from
// 2 on. Its head that predicts masked tokens may be there, and its pooler.

import { under } from './table.js';

const TABLE = 'roberta.embeddings.word_embeddings.weight';
const HEAD = 'lm_head.decoder.weight';
/** The token of padding: positions begin behind its number. */
const PADDING = 1;

/** @type {import('./table.js').Family} */
export const roberta = {
  types: ['roberta', 'xlm-roberta', 'camembert'],
  prefix: 'roberta.',
  ignored: /^embeddings\.(position_ids|token_type_ids)$/,
  settings: {
    vocab: 'vocab_size',
    tokenTypes: 'type_vocab_size',
    maxLength: 'max_position_embeddings',
    dModel: 'hidden_size',
    heads: 'num_attention_heads',
    dFF: 'intermediate_size',
    layers: 'num_hidden_layers',
    tied: 'tie_word_embeddings',
    epsilon: 'layer_norm_eps',
    dropout: 'hidden_dropout_prob',
  },
  defaults: () => ({
    type_vocab_size: 2,
    hidden_act: 'gelu',
    pad_token_id: PADDING,
    tie_word_embeddings: true,
    layer_norm_eps: 1e-12,
    hidden_dropout_prob: 0.1,
  }),
  demands: () => ({
    /* The head has it in any case. */
    hidden_act: 'gelu',
    pad_token_id: PADDING,
    position_embedding_type: 'absolute',
    is_decoder: false,
    add_cross_attention: false,
  }),
  read: (given, file) => ({
    maxLength: Number(given.max_position_embeddings) - PADDING - 1,
    tied: file.isTied(given.tie_word_embeddings, HEAD, [TABLE]),
    pooler: file.has('roberta.pooler.'),
    prediction: file.has('lm_head.'),
  }),
  write: ({ maxLength, prediction }) => ({
    architectures: [prediction ? 'RobertaForMaskedLM' : 'RobertaModel'],
    max_position_embeddings: maxLength + PADDING + 1,
    hidden_act: 'gelu',
    pad_token_id: PADDING,
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
    activation: 'gelu',
    bias: true,
    head: prediction ? 'logits' : 'none',
    tied: tied || !prediction,
    outputBias: prediction,
    scaleEmbedding: false,
  }),
  rows: () => [
    ['embedding.weight', [TABLE, HEAD]],
    ['token_type_embedding.weight', 'roberta.embeddings.token_type_embeddings.weight'],
    [
      'encoder.position_embedding.weight',
      'roberta.embeddings.position_embeddings.weight',
      'behind-padding',
    ],
    ['encoder.embedding_norm.{p}', 'roberta.embeddings.LayerNorm.{p}'],
    ...under('encoder.layers.{i}', 'roberta.encoder.layer.{i}', [
      ['self_attn.q_proj.{p}', 'attention.self.query.{p}', 'transposed'],
      ['self_attn.k_proj.{p}', 'attention.self.key.{p}', 'transposed'],
      ['self_attn.v_proj.{p}', 'attention.self.value.{p}', 'transposed'],
      ['self_attn.out_proj.{p}', 'attention.output.dense.{p}', 'transposed'],
      ['norm1.{p}', 'attention.output.LayerNorm.{p}'],
      ['linear1.{p}', 'intermediate.dense.{p}', 'transposed'],
      ['linear2.{p}', 'output.dense.{p}', 'transposed'],
      ['norm2.{p}', 'output.LayerNorm.{p}'],
    ]),
    ['pooler.dense.{p}', 'roberta.pooler.dense.{p}', 'transposed'],
    ['prediction.dense.{p}', 'lm_head.dense.{p}', 'transposed'],
    ['prediction.norm.{p}', 'lm_head.layer_norm.{p}'],
    ['logits.weight', HEAD, 'transposed'],
    ['logits.bias', ['lm_head.bias', 'lm_head.decoder.bias']],
  ],
};
