// What a model is: one object of options, checked and completed, and the core's structs made of it.

import {
  checkBoolean,
  checkInteger,
  checkOptions,
  checkReal,
  checkWord,
  rangeError,
  TINY,
  within,
} from '../../base/errors.js';
import { floatBits, UINT32 } from '../../base/values.js';
import { checkRemovals } from './remove.js';

/** @typedef {'transformer' | 'gpt' | 'bert'} Kind */
/** @typedef {'sinusoidal' | 'sinusoidal-halves' | 'learned' | 'rotary' | 'alibi' | 'none'} Positions */
/** @typedef {'relu' | 'gelu' | 'gelu-tanh' | 'silu' | 'swiglu'} Activation */
/** @typedef {'logits' | 'none'} Head */
/** @typedef {'positions' | 'mask' | 'scale' | 'norm' | 'residual'} Removal */

/**
 * @typedef {object} Config
 * @property {Kind} kind encoder and decoder, decoder only, or encoder only
 * @property {number} vocab tokens; 0: the model maps vectors, without embedding and logits, and a
 *   transformer's decoder is causal only if you pass a causal targetMask, as in PyTorch
 * @property {number} sourceVocab transformer: rows of the source's own embedding; 0: both share one
 * @property {number} tokenTypes bert: kinds of segments, or 0
 * @property {number} maxLength the longest sequence
 * @property {number} dModel
 * @property {number} heads divides dModel
 * @property {number} kvHeads divides heads; as an option 0 means as many as heads
 * @property {number} dFF
 * @property {number} layers of the encoder, or of the only stack
 * @property {number} decoderLayers transformer
 * @property {Positions} positions how a token knows its place
 * @property {'layer' | 'rms'} norm LayerNorm, or RMSNorm: without means and biases
 * @property {boolean} preNorm normalise what enters a sublayer, not the sum behind it
 * @property {boolean} finalNorm normalise what leaves a stack
 * @property {boolean} embeddingNorm normalise what enters it
 * @property {Activation} activation of the feed-forward
 * @property {boolean} bias of linear layers and layer norms
 * @property {boolean} tied the embedding makes the logits too
 * @property {boolean} outputBias logits have a bias
 * @property {boolean} scaleEmbedding embeddings are multiplied by sqrt(dModel)
 * @property {boolean} pooler bert: tanh of a linear layer on the first token
 * @property {boolean} prediction bert: dense, activation and norm before the logits
 * @property {Head} head what is made of the last layer's vectors: logits, or none
 * @property {boolean} interleaved rotary: pairs are neighbours
 * @property {number} rotaryBase rotary positions turn channels 2i and 2i + 1 by position / rotaryBase^(2i / d_k) radians
 * @property {number} epsilon of the norms
 * @property {number} dropout in training
 * @property {readonly Removal[]} remove steps that are left out, in training and in use: each copies
 *   what it is given
 * @property {number} seed of the initial parameters, 0 to 2^32 - 1
 */

/** @typedef {{ kind: Kind, vocab: number } & Partial<Config>} ModelOptions */

/** Values in the order of the core's numbers. */
const KINDS = ['transformer', 'gpt', 'bert'];
const POSITIONS = ['sinusoidal', 'learned', 'rotary', 'alibi', 'none', 'sinusoidal-halves'];
const NORMS = ['layer', 'rms'];
const HEADS = ['logits', 'none'];
const ACTIVATIONS = ['relu', 'gelu', 'gelu-tanh', 'silu', 'swiglu'];

const MAX_SIZE = 2 ** 24;
const MAX_LAYERS = 1024;

/** A field of the core's struct: what it may be, and its number there.
 * @typedef {{ check: (where: string, value: unknown) => void, number: (value: unknown) => number }} Field */

/** @param {number} low @param {number} [high]
 * @returns {Field} */
const whole = (low, high = MAX_SIZE) => ({
  check: (where, value) => checkInteger(where, value, low, high),
  number: Number,
});
/** @param {number} low @param {number} high @param {boolean} [open]
 * @returns {Field} */
const real = (low, high, open) => ({
  check: (where, value) => checkReal(where, value, low, high, open),
  number: Number,
});
/** @param {readonly string[]} words
 * @returns {Field} */
const oneOf = (words) => ({
  check: (where, value) => checkWord(where, value, words),
  number: (value) => words.indexOf(/** @type {string} */ (value)),
});
/** @type {Field} */
const flag = { check: checkBoolean, number: Number };

/** In the order of gf_model. */
const INTEGERS = {
  kind: oneOf(KINDS),
  vocab: whole(0),
  sourceVocab: whole(0),
  tokenTypes: whole(0),
  maxLength: whole(1),
  dModel: whole(1),
  heads: whole(1),
  kvHeads: whole(1),
  dFF: whole(1),
  layers: whole(0, MAX_LAYERS),
  decoderLayers: whole(0, MAX_LAYERS),
  positions: oneOf(POSITIONS),
  norm: oneOf(NORMS),
  preNorm: flag,
  finalNorm: flag,
  embeddingNorm: flag,
  activation: oneOf(ACTIVATIONS),
  bias: flag,
  tied: flag,
  outputBias: flag,
  scaleEmbedding: flag,
  pooler: flag,
  prediction: flag,
  head: oneOf(HEADS),
  interleaved: flag,
};
const REALS = {
  rotaryBase: real(TINY, 1e30),
  epsilon: real(0, 1),
  dropout: real(0, 1, true),
};
/** The fields of which the core builds a model. */
export const FIELDS = Object.freeze({ ...INTEGERS, ...REALS });
const OPTIONS = { ...FIELDS, seed: whole(0, UINT32) };
const KEYS = [...Object.keys(OPTIONS), 'remove'];

/** Options of one kind of model: with other kinds, anything but 0 and false is an error. */
const OWNERS = {
  sourceVocab: 'transformer',
  decoderLayers: 'transformer',
  tokenTypes: 'bert',
  pooler: 'bert',
  prediction: 'bert',
};

/** @type {Omit<Config, 'kind' | 'vocab' | 'kvHeads' | 'dFF' | 'finalNorm' | 'decoderLayers'>} */
const PAPER = {
  sourceVocab: 0,
  tokenTypes: 0,
  maxLength: 512,
  dModel: 512,
  heads: 8,
  layers: 6,
  positions: 'sinusoidal',
  norm: 'layer',
  preNorm: false,
  embeddingNorm: false,
  activation: 'relu',
  bias: true,
  tied: true,
  outputBias: false,
  scaleEmbedding: true,
  pooler: false,
  prediction: false,
  head: 'logits',
  interleaved: false,
  rotaryBase: 10000,
  epsilon: 1e-5,
  dropout: 0.1,
  remove: [],
  seed: 0,
};

/** How GPT-2 and BERT base differ from the paper.
 * @type {Record<Kind, Partial<Config>>} */
const DEFAULTS = {
  transformer: {},
  gpt: {
    maxLength: 1024,
    dModel: 768,
    heads: 12,
    layers: 12,
    positions: 'learned',
    preNorm: true,
    activation: 'gelu-tanh',
    scaleEmbedding: false,
  },
  bert: {
    tokenTypes: 2,
    dModel: 768,
    heads: 12,
    layers: 12,
    positions: 'learned',
    embeddingNorm: true,
    activation: 'gelu',
    outputBias: true,
    scaleEmbedding: false,
    pooler: true,
    prediction: true,
    epsilon: 1e-12,
  },
};

/** Refuses fields that do not go together.
 * @param {Pick<Config, 'kind' | 'dModel' | 'heads' | 'kvHeads' | 'positions' | keyof typeof OWNERS>} config
 * @param {import('../../base/errors.js').Refuse<typeof import('../../base/texts.js').TEXTS>} refuse
 * @param {(field: 'dModel' | 'heads' | 'kvHeads') => string} [called] */
export function checkConflicts(config, refuse, called = (field) => field) {
  for (const [key, owner] of Object.entries(OWNERS)) {
    const value = config[/** @type {keyof typeof OWNERS} */ (key)];
    if (config.kind === owner || !value) continue;
    refuse('onlyOf', { where: key, kind: owner, given: value });
  }
  const { dModel, heads, kvHeads, positions } = config;
  if (dModel % heads) {
    const [part, whole] = [called('heads'), called('dModel')];
    refuse('notDividing', { part, n: heads, whole, size: dModel });
  }
  if (heads % kvHeads) {
    const [part, whole] = [called('kvHeads'), called('heads')];
    refuse('notDividing', { part, n: kvHeads, whole, size: heads });
  }
  const width = dModel / heads;
  if (positions === 'rotary' && width % 2) refuse('oddHeads', { given: width });
}

/** The options, checked, with the family's defaults for what is left out.
 * @param {unknown} input @param {string} [where]
 * @returns {Readonly<Config>} */
export function checkConfig(input, where = 'model') {
  checkOptions(where, input, KEYS);
  const options = /** @type {ModelOptions} */ (
    Object.fromEntries(
      Object.entries(/** @type {object} */ (input)).filter(([, v]) => v !== undefined),
    )
  );
  checkWord(`${where}: kind`, options.kind, KINDS);
  /* As in the core, 0 means as many as heads. */
  if (options.kvHeads === 0) delete options.kvHeads;
  const most = { ...PAPER, ...DEFAULTS[options.kind], ...options };
  INTEGERS.dModel.check(`${where}: dModel`, most.dModel);
  /** @type {Config} */
  const config = {
    kvHeads: most.heads,
    dFF: 4 * most.dModel,
    finalNorm: most.preNorm,
    decoderLayers: most.kind === 'transformer' ? most.layers : 0,
    ...most,
  };
  for (const [key, { check }] of Object.entries(OPTIONS)) {
    check(`${where}: ${key}`, config[/** @type {keyof Config} */ (key)]);
  }
  checkRemovals(`${where}: remove`, config.remove);
  checkConflicts(config, (detail, params) => {
    throw rangeError(detail, within(where, params));
  });
  return Object.freeze({ ...config, remove: Object.freeze([...config.remove]) });
}

// ---- The core's structs ----

/** A gf_model.
 * @param {Config} config
 * @returns {number[]} */
export function modelWords(config) {
  /** @param {Record<string, Field>} fields */
  const numbers = (fields) =>
    Object.entries(fields).map(([key, { number }]) =>
      number(config[/** @type {keyof Config} */ (key)]),
    );
  return [...numbers(INTEGERS), ...floatBits(numbers(REALS))];
}

/**
 * @typedef {object} Batch a gf_batch: what one tape computes
 * @property {number} [size] 1 by default, as the lengths are
 * @property {number} [source]
 * @property {number} [target]
 * @property {boolean} [padded]
 * @property {boolean} [masked]
 * @property {boolean} [training]
 * @property {boolean} [loss]
 * @property {number} [capacity]
 * @property {boolean} [fused]
 * @property {number} [smoothing]
 */

/** @param {Batch} batch
 * @returns {number[]} */
export function batchWords({
  size = 1,
  source = 1,
  target = 1,
  padded = false,
  masked = false,
  training = false,
  loss = false,
  capacity = 0,
  fused = false,
  smoothing = 0,
}) {
  const integers = [size, source, target, padded, masked, training, loss, capacity, fused];
  return [...integers.map(Number), ...floatBits([smoothing])];
}
