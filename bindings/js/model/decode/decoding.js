// Chooses the decoder: one with a cache, unless the causal mask is removed.

import { Decoder } from './decoder.js';
import { Reader } from './reader.js';

/** @typedef {import('../config/config.js').Config} Config */
/** @typedef {Pick<import('../weights.js').Weights, 'tape' | 'trained' | 'checkUnchanged' | 'running'>} Weights */

/** @param {Weights} weights @param {Config} config
 * @param {{ remove: readonly import('../config/remove.js').Removal[] }} generation
 * @param {import('./decoder.js').DecoderOptions} options */
export function decoding(weights, config, { remove }, options) {
  const without = { ...config, remove: [...config.remove, ...remove] };
  const Way = without.remove.includes('mask') ? Reader : Decoder;
  return new Way(weights, without, options);
}
