// The named rules of families.json: what a value alone cannot say. Python has the same in _families.py.

import { stretch } from './rope.js';
import { rowsOf } from './table.js';
import { refusing } from './texts.js';
import { listedWindows, localWindows, mistralWindows } from './windows.js';

/** @typedef {import('./table.js').Family} Family */
/** @typedef {import('./table.js').Settings} Settings */
/** @typedef {import('./variant.js').ModelConfig} ModelConfig */

/** What a rule may look at besides its facts: the values that the stage has so far, and the tensors of the file.
 * @typedef {{ family: Family, file: import('./file.js').File, made: Record<string, unknown> }} Context */

/** What a rule adds at each stage: see valuesOf.
 * @typedef {object} Rule
 * @property {(own: Settings) => Settings} [defaults]
 * @property {(given: Settings, context: Context) => Settings} [demands]
 * @property {(given: Settings, context: Context) => Partial<ModelConfig> | null} [read]
 * @property {(config: ModelConfig) => Partial<ModelConfig>} [fixed]
 * @property {(config: ModelConfig, context: Context) => Settings} [write] */

/** The head of classes of each token, of an encoder. */
const OF_TOKENS = 'classifier';
/** The head of classes of a text, of a decoder. It has no bias. */
const OF_TEXTS = 'score';
/** How the names of heads that predict tokens end. */
const PREDICTING = /ForCausalLM$|LMHeadModel$/;

/** What the file of a model calls a parameter.
 * @param {Family} family @param {Record<string, unknown>} fields of the model @param {string} ours */
const namesOf = (family, fields, ours) =>
  rowsOf(family, fields).find(([name]) => name === ours)?.[1] ?? [];

/** What config.json has for so many classes. @param {number | undefined} classes */
const labelled = (classes) =>
  classes
    ? { id2label: Object.fromEntries(Array.from({ length: classes }, (_, i) => [i, `LABEL_${i}`])) }
    : {};

/** @param {ModelConfig} config */
function taskOf({ classes, pooler, prediction }) {
  if (classes) return pooler ? 'ForSequenceClassification' : 'ForTokenClassification';
  return prediction ? 'ForMaskedLM' : 'Model';
}

/** @type {Record<string, Rule>} */
export const RULES = {
  /* A setting that is not known may change what the model computes. */
  noOtherSettings: {
    demands: (config, { family: { settings } }) =>
      Object.fromEntries(
        Object.keys(config)
          .filter((key) => key !== 'model_type' && !Object.hasOwn(settings, key))
          .map((key) => [key, undefined]),
      ),
  },

  /* The logits are made with the embedding's weights if there is no head, or it is the same. */
  tied: {
    read: (config, { family, file, made }) => {
      const [head] = namesOf(family, made, 'logits.weight');
      const tables = namesOf(family, made, 'embedding.weight').filter((name) => name !== head);
      return { tied: file.isTied(config.tie_word_embeddings, head, tables) };
    },
  },

  /* The logits have a bias if the file has it. */
  outputBias: {
    read: (_, { family, file, made }) => {
      const [bias] = namesOf(family, made, 'logits.bias');
      return { outputBias: file.find(bias) !== undefined };
    },
  },

  /* Source and target have one table of embeddings, or each its own. */
  sharedTables: {
    demands: (config) => ({
      decoder_vocab_size: config.share_encoder_decoder_embeddings
        ? config.vocab_size
        : config.decoder_vocab_size,
    }),
    read: (config) => ({
      sourceVocab: config.share_encoder_decoder_embeddings ? 0 : Number(config.vocab_size),
    }),
    write: ({ vocab, sourceVocab }) => ({
      vocab_size: sourceVocab || vocab,
      share_encoder_decoder_embeddings: !sourceVocab,
    }),
  },

  /* A decoder may have a head that finds classes in place of the one that predicts tokens: of a text, by its last token,
   * or of each token. */
  classes: {
    read: (_, { family, file }) => {
      const ofTokens = family.names.classes;
      const isOfTokens = file.has(`${ofTokens}.bias`);
      const head = file.find(`${isOfTokens ? ofTokens : OF_TEXTS}.weight`);
      if (!head) return null;
      return { classes: head.tensor.shape[0], ...(!isOfTokens && { classesUnbiased: true }) };
    },
    fixed: ({ classes, classesUnbiased }) =>
      classes ? { head: 'none', classes, classesUnbiased } : {},
    write: ({ classes, classesUnbiased }, { made }) => {
      if (!classes) return {};
      const [called] = /** @type {string[]} */ (made.architectures);
      const end = classesUnbiased ? 'ForSequenceClassification' : 'ForTokenClassification';
      return { architectures: [called.replace(PREDICTING, end)], ...labelled(classes) };
    },
  },

  /* An encoder may predict masked tokens, and find classes: of a text, by its pooler, or of each token. */
  encoderHeads: {
    read: (config, { file, family: { names, prefix } }) => {
      const architecture = String([config.architectures].flat().at(-1));
      const ofTokens = architecture.endsWith('ForTokenClassification');
      const pooler = file.has(`${prefix}pooler.`) || file.has(`${names.pooled}.`);
      const last = file.find(`${ofTokens || !pooler ? OF_TOKENS : names.classes}.weight`);
      return {
        pooler: pooler && !ofTokens,
        prediction: file.has(`${names.dense}.`),
        ...(last && { classes: last.tensor.shape[0] }),
      };
    },
    fixed: ({ prediction, tied, classes }) => ({
      head: prediction ? 'logits' : 'none',
      tied: tied || !prediction,
      outputBias: prediction,
      classes,
    }),
    write: (config, { family: { names } }) => ({
      architectures: [`${names.architecture}${taskOf(config)}`],
      ...labelled(config.classes),
    }),
  },

  poolerRelu: { fixed: ({ pooler }) => ({ poolerRelu: pooler || undefined }) },

  /* transformers 5 has the base among other parameters, where it may not be missing. */
  ropeTheta: {
    defaults: (settings) => ({
      rope_theta: settings.rope_parameters ? settings['rope_parameters.rope_theta'] : 10000,
    }),
  },

  /* A part of each head is rotated, rounded as transformers does. */
  rotaryPart: {
    read: ({ hidden_size: width, num_attention_heads: heads, rotary_pct: part }) => ({
      rotarySize: Math.trunc((Number(width) / Number(heads)) * Number(part)),
    }),
    fixed: ({ rotarySize }) => ({ rotarySize }),
    write: ({ dModel, heads, rotarySize = dModel / heads }) => ({
      rotary_pct: (rotarySize * heads) / dModel,
    }),
  },

  /* All matrices have biases, or none has. */
  equalBiases: {
    read: ({ attention_bias: value, mlp_bias: other }) => {
      /** @type {import('./texts.js').Refuse} */
      const refuse = refusing('config.json');
      if (other !== true && other !== false) refuse('boolean', { where: 'mlp_bias', given: other });
      return value === other
        ? null
        : refuse('biasesUnlike', { where: 'attention_bias', other: String(other), given: value });
    },
  },

  stretch,
  mistralWindows,
  listedWindows,
  localWindows,
};
