// What load() gives of models.

import { readCheckpoint } from '../checkpoints/index.js';
import { checkOptions, show } from '../errors.js';
import { readSafetensors } from '../safetensors.js';
import { Model } from './model.js';

/** @typedef {import('../engine.js').Engine} Engine */
/** @typedef {import('../safetensors.js').FileTensors} FileTensors */
/** @typedef {import('./config.js').ModelOptions} ModelOptions */

/** @param {unknown} given
 * @returns {given is ArrayBuffer | Uint8Array} */
const isBytes = (given) => given instanceof ArrayBuffer || given instanceof Uint8Array;

/** @param {Engine} engine */
export const models = (engine) => ({
  /** A model with new parameters; or, from the bytes of model.save(), one that was saved.
   * @param {ModelOptions | ArrayBuffer | Uint8Array} options */
  model: (options) => (isBytes(options) ? Model.load(engine, options) : new Model(engine, options)),

  /** A model of Hugging Face or of PyTorch: config.json, parsed, and model.safetensors.
   * @param {{ config: unknown, bytes?: ArrayBuffer | Uint8Array, tensors?: FileTensors }} files */
  open: (files) => {
    checkOptions('open', files, ['config', 'bytes', 'tensors']);
    const { bytes, tensors } = files;
    if ((bytes === undefined) === (tensors === undefined)) {
      throw new TypeError(`open: expected bytes or tensors, received ${show(bytes ?? tensors)}`);
    }
    const given = tensors ?? readSafetensors(/** @type {Uint8Array} */ (bytes)).tensors;
    const { config, parameters } = readCheckpoint(files.config, given);
    return Model.from(engine, config, parameters);
  },
});
