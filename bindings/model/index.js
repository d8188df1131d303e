// What load() gives of models.

import { checkOptions, show } from '../errors.js';
import { checkSignal } from '../turn.js';
import { Model } from './model.js';
import { summary } from './summary.js';

/** @typedef {import('../engine.js').Engine} Engine */
/** @typedef {import('./config.js').Config} Config */
/** @typedef {import('./config.js').ModelOptions} ModelOptions */
/** @typedef {import('./file.js').Parameters} Parameters */

/** @param {unknown} given
 * @returns {given is ArrayBuffer | Uint8Array} */
const isBytes = (given) => given instanceof ArrayBuffer || given instanceof Uint8Array;

/** What readModel gives. @typedef {{ config: Partial<Config>, parameters: Parameters }} Read */

/** @param {string} where @param {Read} read */
function checkRead(where, read) {
  checkOptions(where, read, ['config', 'parameters']);
  if (read.parameters instanceof Map) return read;
  throw new TypeError(
    `${where}: parameters: expected a Map, as readModel gives it, received ${show(read.parameters)}`,
  );
}

/** @param {Engine} engine */
export const models = (engine) => ({
  /** A model with new parameters; or, from the bytes of model.save(), one that was saved.
   * @param {ModelOptions | ArrayBuffer | Uint8Array} options */
  model: (options) => (isBytes(options) ? Model.load(engine, options) : new Model(engine, options)),

  /** What model.summary() would say of a model of these options, without making it.
   * @param {ModelOptions} options @param {import('./summary.js').Lengths} [lengths] */
  summary: (options, lengths) => summary(engine, options, lengths),

  /** A model with the parameters that readModel found in files.
   * @param {Read} read */
  open: (read) => {
    const { config, parameters } = checkRead('open', read);
    return Model.from(engine, config, parameters);
  },

  /** The same piece by piece, with turns for everything else; undefined once the signal came.
   * @param {Read} read
   * @param {{ signal?: AbortSignal, onProgress?: (part: number) => void }} [listener] part: 0 to 1
   * @returns {Promise<Model | undefined>} */
  openInTurns: async (read, listener = {}) => {
    checkOptions('openInTurns', listener, ['signal', 'onProgress']);
    checkSignal('openInTurns', listener.signal);
    const { config, parameters } = checkRead('openInTurns', read);
    return Model.fromInTurns(engine, config, parameters, listener);
  },
});
