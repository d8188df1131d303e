// Marian of Hugging Face's transformers (the OPUS-MT translators): weights are [out, in].

import { ACTIVATIONS } from './config.js';
import { under } from './table.js';

const SHARED = 'model.shared.weight';
const SOURCE = 'model.encoder.embed_tokens.weight';
const TARGET = 'model.decoder.embed_tokens.weight';
const HEAD = 'lm_head.weight';
const LOGITS_BIAS = 'final_logits_bias';
const POSITIONS = ['model.encoder.embed_positions.weight', 'model.decoder.embed_positions.weight'];

/** BF16 is off by half of this; another kind of sinusoids by far more. */
const TOLERANCE = 2 ** -8;

/** All sines, then all cosines.
 * @param {number} position @param {number} column @param {number} width */
function sinusoid(position, column, width) {
  const sines = Math.ceil(width / 2);
  const angle = position / 10000 ** ((2 * (column % sines)) / width);
  return column < sines ? Math.sin(angle) : Math.cos(angle);
}

/** @type {import('./table.js').Family} */
export const marian = {
  types: ['marian'],
  prefix: 'model.',
  /* Positions are computed; see flaws. */
  ignored: /^(encoder|decoder)\.embed_positions\.weight$/,
  settings: {
    vocab: 'decoder_vocab_size',
    sourceVocab: 'vocab_size',
    maxLength: 'max_position_embeddings',
    dModel: 'd_model',
    heads: 'encoder_attention_heads',
    dFF: 'encoder_ffn_dim',
    layers: 'encoder_layers',
    decoderLayers: 'decoder_layers',
    activation: { key: 'activation_function', names: ACTIVATIONS },
    tied: 'tie_word_embeddings',
    scaleEmbedding: 'scale_embedding',
    dropout: 'dropout',
  },
  defaults: ({ vocab_size }) => ({
    decoder_vocab_size: vocab_size,
    share_encoder_decoder_embeddings: true,
    activation_function: 'gelu',
    tie_word_embeddings: true,
    scale_embedding: false,
    dropout: 0.1,
  }),
  demands: (given) => ({
    share_encoder_decoder_embeddings: given.share_encoder_decoder_embeddings !== false,
    decoder_vocab_size: given.share_encoder_decoder_embeddings
      ? given.vocab_size
      : given.decoder_vocab_size,
    decoder_attention_heads: given.encoder_attention_heads,
    decoder_ffn_dim: given.encoder_ffn_dim,
    static_position_embeddings: true,
    normalize_before: false,
    normalize_embedding: false,
    add_final_layer_norm: false,
    add_bias_logits: false,
  }),
  read: (given, file) => {
    const shared = given.share_encoder_decoder_embeddings;
    const tables = shared ? [SHARED, TARGET, SOURCE] : [TARGET];
    return {
      sourceVocab: shared ? 0 : /** @type {number} */ (given.vocab_size),
      tied: file.isTied(given.tie_word_embeddings, HEAD, tables),
      outputBias: file.find(LOGITS_BIAS) !== undefined,
    };
  },
  write: ({ vocab, sourceVocab, heads, dFF, dropout }) => ({
    architectures: ['MarianMTModel'],
    vocab_size: sourceVocab || vocab,
    share_encoder_decoder_embeddings: !sourceVocab,
    decoder_attention_heads: heads,
    decoder_ffn_dim: dFF,
    is_encoder_decoder: true,
    /* Otherwise it is 58100, and must be a row of the embedding. */
    pad_token_id: null,
    attention_dropout: 0,
    activation_dropout: dropout,
  }),
  fixed: ({ heads }) => ({
    kind: 'transformer',
    kvHeads: heads,
    positions: 'sinusoidal-halves',
    norm: 'layer',
    preNorm: false,
    finalNorm: false,
    embeddingNorm: false,
    bias: true,
    epsilon: 1e-5,
  }),
  rows: ({ sourceVocab }) => [
    ['source_embedding.weight', SOURCE],
    ['embedding.weight', sourceVocab ? [TARGET, HEAD] : [SHARED, TARGET, SOURCE, HEAD]],
    ...under('{side}.layers.{i}', 'model.{side}.layers.{i}', [
      ['self_attn.{x}_proj.{p}', 'self_attn.{x}_proj.{p}', 'transposed'],
      ['self_attn.out_proj.{p}', 'self_attn.out_proj.{p}', 'transposed'],
      ['norm1.{p}', 'self_attn_layer_norm.{p}'],
      ['linear1.{p}', 'fc1.{p}', 'transposed'],
      ['linear2.{p}', 'fc2.{p}', 'transposed'],
    ]),
    ['encoder.layers.{i}.norm2.{p}', 'model.encoder.layers.{i}.final_layer_norm.{p}'],
    ...under('decoder.layers.{i}', 'model.decoder.layers.{i}', [
      ['cross_attn.{x}_proj.{p}', 'encoder_attn.{x}_proj.{p}', 'transposed'],
      ['cross_attn.out_proj.{p}', 'encoder_attn.out_proj.{p}', 'transposed'],
      ['norm2.{p}', 'encoder_attn_layer_norm.{p}'],
      ['norm3.{p}', 'final_layer_norm.{p}'],
    ]),
    ['logits.weight', HEAD, 'transposed'],
    ['logits.bias', LOGITS_BIAS, 'row'],
  ],
  flaws: ({ dModel }, file) =>
    POSITIONS.flatMap((name) => file.find(name) ?? []).filter(({ tensor: { data } }) => {
      if (!data) return true;
      for (let i = 0; i < data.length; i++) {
        const expected = sinusoid(Math.floor(i / dModel), i % dModel, dModel);
        if (!(Math.abs(data[i] - expected) <= TOLERANCE)) return true;
      }
      return false;
    }),
};
