// The entry that opens models of others from files: GGUF, safetensors, llama2.c. What its load() gives is what the main
// entry's gives, over the same core, and opens them.

import { core } from './embedded.js';
import { opener } from './opener.js';
import { start } from './runtime/engine.js';

export { openCheckpoint } from './checkpoints/open.js';

/** @typedef {import('./checkpoints/open.js').Checkpoint} Checkpoint */
/** @typedef {import('./checkpoints/open.js').OpenOptions} OpenOptions */
/** @typedef {import('./checkpoints/open.js').ModelOptions} OpenModelOptions */
/** @typedef {import('./checkpoints/opened.js').OpenedModel} OpenedModel */
/** @typedef {import('./formats/source.js').FileLike} FileLike */
/** @typedef {import('./formats/source.js').Handle} Handle */
/** @typedef {import('./formats/token-lists.js').ListedTokenizer} ListedTokenizer */
/** @typedef {import('./runtime/engine.js').LoadOptions} LoadOptions */
/** @typedef {import('./glassformer.js').Glassformer} Glassformer */
/** @typedef {import('./stored/matrix.js').StoredMatrix} StoredMatrix */
/** @typedef {import('./stored/matrix.js').StoredType} StoredType */
/** @typedef {import('./tape/tape.js').Tape} StoredTape */
/** @typedef {import('./stored/numbers.js').StoredNumbers} StoredNumbers */
/** @typedef {import('./stored/numbers.js').StoredWeight} StoredWeight */
/** @typedef {import('./model/config/parameters.js').ModelConfig} ModelConfig */
/** @typedef {import('./checkpoints/variant.js').ModelConfig} CheckpointConfig */
/** @typedef {import('./checkpoints/variant.js').Variant} Variant */

/** @typedef {import('./opener.js').ModelOpener} ModelOpener */

/** Compiles the core, which is inlined, and gives its functions: those of the main entry's load(), and openModel.
 * @param {LoadOptions} [options]
 * @returns {Promise<ModelOpener>}
 * @example
 * import { load } from 'glassformer/models';
 *
 * const core = await load();
 * core.softmax([[0, 0]]); // = [[0.5, 0.5]] */
export async function load(options) {
  return opener(await start(core, options));
}
