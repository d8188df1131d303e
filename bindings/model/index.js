// What load() gives of models.

import { readCheckpoint } from '../checkpoints/index.js';
import { checkOptions } from '../errors.js';
import { readSafetensors } from '../safetensors.js';
import { checkSignal } from '../turn.js';
import { Model } from './model.js';

/** @typedef {import('../engine.js').Engine} Engine */
/** @typedef {import('../safetensors.js').FileTensors} FileTensors */
/** @typedef {import('./config.js').ModelOptions} ModelOptions */

/** @param {unknown} given
 * @returns {given is ArrayBuffer | Uint8Array} */
const isBytes = (given) => given instanceof ArrayBuffer || given instanceof Uint8Array;

/** The files as they are, or as read already.
 * @typedef {object} Files
 * @property {unknown} config
 * @property {ArrayBuffer | Uint8Array} [bytes]
 * @property {FileTensors} [tensors]
 * @property {import('./file.js').Parameters} [parameters] */

/** @param {string} where @param {Files} files */
function readOf(where, files) {
  checkOptions(where, files, ['config', 'bytes', 'tensors', 'parameters']);
  const { config, bytes, tensors, parameters } = files;
  if ([bytes, tensors, parameters].filter((given) => given !== undefined).length !== 1) {
    throw new TypeError(
      `${where}: expected bytes, tensors or parameters, received ${Object.keys(files).join(', ')}`,
    );
  }
  if (parameters) return { config, parameters };
  const given = tensors ?? readSafetensors(/** @type {Uint8Array} */ (bytes)).tensors;
  return readCheckpoint(config, given);
}

/** @param {Engine} engine */
export const models = (engine) => ({
  /** A model with new parameters; or, from the bytes of model.save(), one that was saved.
   * @param {ModelOptions | ArrayBuffer | Uint8Array} options */
  model: (options) => (isBytes(options) ? Model.load(engine, options) : new Model(engine, options)),

  /** A model of Hugging Face or of PyTorch: config.json, parsed, and model.safetensors; or what readModel
   * made of them.
   * @param {Files} files */
  open: (files) => {
    const { config, parameters } = readOf('open', files);
    return Model.from(engine, config, parameters);
  },

  /** The same piece by piece, with turns for everything else; undefined once the signal came.
   * @param {Files} files
   * @param {{ signal?: AbortSignal, onProgress?: (part: number) => void }} [listener] part: 0 to 1
   * @returns {Promise<Model | undefined>} */
  openInTurns: async (files, listener = {}) => {
    checkOptions('openInTurns', listener, ['signal', 'onProgress']);
    checkSignal('openInTurns', listener.signal);
    const { config, parameters } = readOf('openInTurns', files);
    return Model.fromInTurns(engine, config, parameters, listener);
  },
});
