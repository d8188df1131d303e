// Models of ours, and how native.c is told of them.

import { batchWords, modelWords } from '../../../bindings/js/model/config/config.js';

/** Parameters are drawn from it. */
const SEED = 1;

/** @typedef {import('../../../bindings/js/model/config/config.js').Batch} Batch */
/** @typedef {import('../../../bindings/js/model/config/config.js').Config} Config */
/** @typedef {import('../../../bindings/js/model/config/config.js').ModelOptions} ModelOptions */

/** @param {Partial<ModelOptions>} options
 * @returns {any} */
export const gpt = (options) => ({ kind: 'gpt', dropout: 0, seed: SEED, ...options });

/** One stack of encoder layers, and nothing around it.
 * @param {Partial<ModelOptions>} options
 * @returns {any} */
export const encoder = (options) => ({
  kind: 'bert',
  vocab: 0,
  tokenTypes: 0,
  positions: 'none',
  embeddingNorm: false,
  pooler: false,
  prediction: false,
  outputBias: false,
  epsilon: 1e-5,
  dropout: 0,
  seed: SEED,
  ...options,
});

/** gf_model and gf_batch, word by word. @param {Config} config @param {Batch} batch */
export const words = (config, batch) => [...modelWords(config), ...batchWords(batch)];
