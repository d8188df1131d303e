// The functions for models that load() gives.

import { checkListener, checkOptions, readOptions, typeError } from '../base/errors.js';
import { checkSignal } from '../base/turn.js';
import { checkConfig } from './config/config.js';
import { extentOf } from './config/parameters.js';
import { Model } from './model.js';
import { summary } from './summary.js';
import { rangeError } from './texts.js';

/** @typedef {import('../runtime/engine.js').Engine} Engine */
/** @typedef {import('./config/config.js').ModelOptions} ModelOptions */
/** @typedef {import('./file.js').Read} Read */

/** @satisfies {Record<string, import('../base/errors.js').Rule>} */
const LISTENER = { signal: [checkSignal], onProgress: [checkListener] };

/** @param {string} where @param {Read} read */
function checkGiven(where, read) {
  if (typeof read === 'string' || ArrayBuffer.isView(read) || Object(read) instanceof ArrayBuffer) {
    throw typeError('readFirst', { where, given: read });
  }
  checkOptions(where, read, ['config', 'parameters', 'step']);
  if (read.parameters instanceof Map) return read;
  throw typeError('read', { where: `${where}: parameters`, given: read.parameters });
}

/** So many numbers nobody asked for. */
const MOST_BY_DEFAULT = 5e7;

/** Refuses a model that is large because its size was left out.
 * @param {ModelOptions} options */
function checkChosen(options) {
  const config = checkConfig(options);
  if (options.dModel !== undefined && options.layers !== undefined) return;
  const { numbers } = extentOf(config);
  if (numbers <= MOST_BY_DEFAULT) return;
  const { dModel, layers } = config;
  const params = { where: 'model', millions: Math.round(numbers / 1e6), dModel, layers };
  throw rangeError('largeByDefault', params);
}

/** @param {Engine} engine */
export const models = (engine) => ({
  /** A model with new parameters.
   * @param {ModelOptions} options a model of more than 50 million parameters is made only if both dModel and layers are
   *   given
   * @example
   * const model = gf.model({ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 1, maxLength: 16 });
   * model.size; // = 1080
   * model.dispose(); */
  model: (options) => {
    checkChosen(options);
    return new Model(engine, options);
  },

  /** What model.summary() would say of a model of these options, without making it.
   * @param {ModelOptions} options @param {import('./summary.js').Lengths} [lengths]
   * @example
   * gf.summary({ kind: 'transformer', vocab: 37000, dModel: 512, heads: 8, layers: 6 }).parameters; // = 63082496 */
  summary: (options, lengths) => summary(engine, options, lengths),

  /** A model from a file: what readModel or importModel gave.
   * @param {Read} read
   * @example
   * import { readModel } from 'glassformer';
   *
   * const model = gf.model({ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 1, seed: 5 });
   * const same = gf.open(readModel(model.save()));
   * same.config.seed; // = 5 */
  open: (read) => Model.from(engine, checkGiven('open', read)),

  /** The same piece by piece, with turns for everything else.
   * @param {Read} read
   * @param {{ signal?: AbortSignal, onProgress?: (part: number) => void }} [listener] part: 0 to 1
   * @returns {Promise<Model>}
   * @example
   * import { readModel } from 'glassformer';
   *
   * const model = gf.model({ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 1 });
   * const parts = [];
   * const read = readModel(model.save());
   * const same = await gf.openInTurns(read, { onProgress: (part) => parts.push(part) });
   * same.size === model.size; // = true */
  openInTurns: async (read, listener = {}) => {
    const heard = readOptions('openInTurns', listener, LISTENER);
    return Model.fromInTurns(engine, checkGiven('openInTurns', read), heard);
  },
});
