// What load() gives where models of others can be opened.

import { glassformer } from '../js/glassformer.js';
import { StoredMatrix } from '../js/stored/matrix.js';
import { openModel } from './checkpoints/open.js';

/** @typedef {import('../js/runtime/engine.js').Engine} Engine */
/** @typedef {import('./checkpoints/opened.js').OpenedModel} OpenedModel */

/** @param {Engine} engine */
const opening = (engine) => ({
  /** The model of a checkpoint. Its weights are read piece by piece, straight into the core's memory.
   * @deprecated goes in 2.0; use open of glassformer, which takes the file itself
   * @param {import('./checkpoints/open.js').Checkpoint} checkpoint
   * @param {import('./checkpoints/open.js').ModelOptions} [options]
   * @returns {Promise<OpenedModel>}
   * @example
   * import { exportModel } from 'glassformer';
   * import { load, openCheckpoint } from 'glassformer/models';
   *
   * const core = await load();
   * const small = core.model({ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 1 });
   * const { config, bytes } = exportModel(small, 'gpt2'); // or: openCheckpoint('smollm2.gguf')
   * const model = await core.openModel(await openCheckpoint(bytes, { config }));
   * model.size === small.size; // = true */
  openModel: (checkpoint, options) => openModel(engine, checkpoint, options),

  /** Memory for a matrix of parameters as a file stores it, in 2 bytes a number or less: so many rows of columns, as
   * PyTorch has them, [out,in]. Products compute with exactly the numbers that the bytes stand for, in float32.
   * @param {{ type: import('../js/stored/matrix.js').StoredType, rows: number, columns: number }} options */
  stored: (options) => new StoredMatrix(engine, options),
});

/** What load() of glassformer/models gives.
 * @typedef {import('../js/glassformer.js').Glassformer & ReturnType<typeof opening>} ModelOpener */

/** @param {Engine} engine
 * @returns {ModelOpener} */
export const opener = (engine) => Object.assign(glassformer(engine), opening(engine));
