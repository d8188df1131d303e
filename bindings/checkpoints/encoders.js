// BERT of Hugging Face's transformers, and its kin: RoBERTa (multilingual and French, too), DistilBERT, ALBERT. Weights are
// [out, in]. The head that predicts masked tokens may be there, one that finds classes, and the pooler; the one that
// tells whether two sentences follow is passed over.

import { ACTIVATIONS } from './config.js';
import { labelled, under } from './table.js';

/** @typedef {import('./config.js').ModelConfig} ModelConfig */
/** @typedef {import('./table.js').Family} Family */
/** @typedef {import('./table.js').Row} Row */

/** What one of them has of its own. Names go without the ends .weight and .bias.
 * @typedef {object} Own
 * @property {string} called what the names of its architectures begin with
 * @property {{ dense: string, norm: string, weight: string, bias: string[] }} head that predicts tokens
 * @property {{ dense: string, weight: string }} classes of a text: what they have for a pooler, and themselves
 * @property {string} [pooler]
 * @property {string} layer of which {i} is the number; without it there is one
 * @property {[string, string, Row[2]?][]} rows of a layer
 * @property {Row[]} [more]
 * @property {Row[2]} [positions] how the file has their table
 * @property {string} [dropout] the setting of attention's, which is none here
 * @property {Partial<ModelConfig>} [has] fields that are the same in the whole family */

const SETTINGS = {
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
};
const DEFAULTS = {
  type_vocab_size: 2,
  hidden_act: 'gelu',
  tie_word_embeddings: true,
  layer_norm_eps: 1e-12,
  hidden_dropout_prob: 0.1,
};
const DEMANDS = {
  position_embedding_type: 'absolute',
  is_decoder: false,
  add_cross_attention: false,
};
/** The head of classes of each token. */
const CLASSIFIER = 'classifier';
const DROPOUT = 'attention_probs_dropout_prob';

/** @type {[string, string, Row[2]?][]} */
const LAYER = [
  ['self_attn.q_proj.{p}', 'attention.self.query.{p}', 'transposed'],
  ['self_attn.k_proj.{p}', 'attention.self.key.{p}', 'transposed'],
  ['self_attn.v_proj.{p}', 'attention.self.value.{p}', 'transposed'],
  ['self_attn.out_proj.{p}', 'attention.output.dense.{p}', 'transposed'],
  ['norm1.{p}', 'attention.output.LayerNorm.{p}'],
  ['linear1.{p}', 'intermediate.dense.{p}', 'transposed'],
  ['linear2.{p}', 'output.dense.{p}', 'transposed'],
  ['norm2.{p}', 'output.LayerNorm.{p}'],
];

/** @param {Own} own @param {Pick<Family, 'types' | 'prefix' | 'ignored'> & Partial<Family>} family
 * @returns {Family} */
function encoder(
  {
    called,
    head,
    classes,
    pooler: pooled,
    layer,
    rows,
    more = [],
    positions,
    dropout = DROPOUT,
    has,
  },
  family,
) {
  const { prefix } = family;
  const table = `${prefix}embeddings.word_embeddings.weight`;
  /** @param {ModelConfig} config */
  const architectureOf = (config) => {
    if (config.classes)
      return config.pooler ? 'ForSequenceClassification' : 'ForTokenClassification';
    return config.prediction ? 'ForMaskedLM' : 'Model';
  };
  return {
    settings: SETTINGS,
    defaults: () => DEFAULTS,
    demands: () => DEMANDS,
    read: (given, file) => {
      const ofTokens = String(given.architectures).endsWith('ForTokenClassification');
      const pooler = file.has(`${prefix}pooler.`) || file.has(`${classes.dense}.`);
      const last = file.find(`${ofTokens || !pooler ? CLASSIFIER : classes.weight}.weight`);
      return {
        tied: file.isTied(given.tie_word_embeddings, `${head.weight}.weight`, [table]),
        pooler: pooler && !ofTokens,
        prediction: file.has(`${head.dense}.`),
        ...(last && { classes: last.tensor.shape[0] }),
      };
    },
    write: (config) => ({
      architectures: [`${called}${architectureOf(config)}`],
      [dropout]: 0,
      ...labelled(config.classes),
    }),
    fixed: ({ heads, prediction, tied, classes: number, pooler }) => ({
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
      classes: number,
      ...has,
      ...(has?.poolerRelu && { poolerRelu: pooler || undefined }),
    }),
    rows: (config) => [
      ['embedding.weight', [table, `${head.weight}.weight`]],
      ['token_type_embedding.weight', `${prefix}embeddings.token_type_embeddings.weight`],
      [
        'encoder.position_embedding.weight',
        `${prefix}embeddings.position_embeddings.weight`,
        positions,
      ],
      ['encoder.embedding_norm.{p}', `${prefix}embeddings.LayerNorm.{p}`],
      ...under(`encoder.layers.${layer.includes('{i}') ? '{i}' : 0}`, `${prefix}${layer}`, rows),
      ...more,
      [
        'pooler.dense.{p}',
        `${config.classes ? classes.dense : (pooled ?? `${prefix}pooler.dense`)}.{p}`,
        'transposed',
      ],
      ['prediction.dense.{p}', `${head.dense}.{p}`, 'transposed'],
      ['prediction.norm.{p}', `${head.norm}.{p}`],
      ['logits.weight', `${head.weight}.weight`, 'transposed'],
      ['logits.bias', head.bias],
      ['classes.{p}', `${config.pooler ? classes.weight : CLASSIFIER}.{p}`, 'transposed'],
    ],
    ...family,
  };
}

export const bert = encoder(
  {
    called: 'Bert',
    head: {
      dense: 'cls.predictions.transform.dense',
      norm: 'cls.predictions.transform.LayerNorm',
      weight: 'cls.predictions.decoder',
      bias: ['cls.predictions.bias', 'cls.predictions.decoder.bias'],
    },
    classes: { dense: 'bert.pooler.dense', weight: CLASSIFIER },
    layer: 'encoder.layer.{i}',
    rows: LAYER,
  },
  {
    types: ['bert'],
    prefix: 'bert.',
    /* What came from TensorFlow. */
    rename: (key) =>
      key
        .replace(/\.LayerNorm\.gamma$/, '.LayerNorm.weight')
        .replace(/\.LayerNorm\.beta$/, '.LayerNorm.bias'),
    ignored: /^(embeddings\.(position_ids|token_type_ids)|cls\.seq_relationship\.(weight|bias))$/,
  },
);

/** The token of padding: RoBERTa's positions begin behind its number. */
const PADDING = 1;
/** The head of RoBERTa has this activation in any case. */
const FIXED = { hidden_act: 'gelu', pad_token_id: PADDING };
const { activation, ...SAME_ACTIVATION } = SETTINGS;

const robust = encoder(
  {
    called: 'Roberta',
    head: {
      dense: 'lm_head.dense',
      norm: 'lm_head.layer_norm',
      weight: 'lm_head.decoder',
      bias: ['lm_head.bias', 'lm_head.decoder.bias'],
    },
    classes: { dense: 'classifier.dense', weight: 'classifier.out_proj' },
    layer: 'encoder.layer.{i}',
    rows: LAYER,
    positions: 'behind-padding',
    has: { activation: 'gelu' },
  },
  {
    types: ['roberta', 'xlm-roberta', 'camembert'],
    prefix: 'roberta.',
    ignored: /^embeddings\.(position_ids|token_type_ids)$/,
    settings: SAME_ACTIVATION,
    defaults: () => ({ ...DEFAULTS, ...FIXED }),
    demands: () => ({ ...DEMANDS, ...FIXED }),
  },
);

/** @type {Family} */
export const roberta = {
  ...robust,
  read: (given, file) => ({
    ...robust.read(given, file),
    maxLength: Number(given.max_position_embeddings) - PADDING - 1,
  }),
  write: (config) => ({
    ...robust.write(config),
    ...FIXED,
    max_position_embeddings: config.maxLength + PADDING + 1,
  }),
};

/** It has no kinds of segments, and no pooler but that of its classes. */
export const distilbert = encoder(
  {
    called: 'DistilBert',
    head: {
      dense: 'vocab_transform',
      norm: 'vocab_layer_norm',
      weight: 'vocab_projector',
      bias: ['vocab_projector.bias'],
    },
    classes: { dense: 'pre_classifier', weight: CLASSIFIER },
    layer: 'transformer.layer.{i}',
    rows: [
      ['self_attn.{x}_proj.{p}', 'attention.{x}_lin.{p}', 'transposed'],
      ['self_attn.out_proj.{p}', 'attention.out_lin.{p}', 'transposed'],
      ['norm1.{p}', 'sa_layer_norm.{p}'],
      ['linear1.{p}', 'ffn.lin1.{p}', 'transposed'],
      ['linear2.{p}', 'ffn.lin2.{p}', 'transposed'],
      ['norm2.{p}', 'output_layer_norm.{p}'],
    ],
    dropout: 'attention_dropout',
    has: { tokenTypes: 0, epsilon: 1e-12, poolerRelu: true },
  },
  {
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
  },
);

/** Its layers are one, again and again, and its embeddings narrower than what goes through them. */
export const albert = encoder(
  {
    called: 'Albert',
    head: {
      dense: 'predictions.dense',
      norm: 'predictions.LayerNorm',
      weight: 'predictions.decoder',
      bias: ['predictions.bias', 'predictions.decoder.bias'],
    },
    classes: { dense: 'albert.pooler', weight: CLASSIFIER },
    pooler: 'albert.pooler',
    layer: 'encoder.albert_layer_groups.0.albert_layers.0',
    rows: [
      ['self_attn.q_proj.{p}', 'attention.query.{p}', 'transposed'],
      ['self_attn.k_proj.{p}', 'attention.key.{p}', 'transposed'],
      ['self_attn.v_proj.{p}', 'attention.value.{p}', 'transposed'],
      ['self_attn.out_proj.{p}', 'attention.dense.{p}', 'transposed'],
      ['norm1.{p}', 'attention.LayerNorm.{p}'],
      ['linear1.{p}', 'ffn.{p}', 'transposed'],
      ['linear2.{p}', 'ffn_output.{p}', 'transposed'],
      ['norm2.{p}', 'full_layer_layer_norm.{p}'],
    ],
    more: [
      [
        'encoder.embedding_projection.{p}',
        'albert.encoder.embedding_hidden_mapping_in.{p}',
        'transposed',
      ],
    ],
    has: { sharedLayers: true },
  },
  {
    types: ['albert'],
    prefix: 'albert.',
    ignored:
      /^(embeddings\.(position_ids|token_type_ids)|sop_classifier\.classifier\.(weight|bias))$/,
    settings: { ...SETTINGS, embeddingSize: 'embedding_size' },
    defaults: () => ({
      ...DEFAULTS,
      hidden_act: 'gelu_new',
      hidden_dropout_prob: 0,
      embedding_size: 128,
    }),
    demands: () => ({ ...DEMANDS, num_hidden_groups: 1, inner_group_num: 1 }),
  },
);
