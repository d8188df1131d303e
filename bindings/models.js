// The entry that opens models of others from files: GGUF, safetensors, llama2.c. What its load() gives is what the main
// entry's gives, over the same core, and opens them.

import { core } from './js/embedded.js';
import { start } from './js/runtime/engine.js';
import { opener } from './models/opener.js';

export { openCheckpoint } from './models/checkpoints/open.js';

/** @typedef {import('./models/checkpoints/open.js').Checkpoint} Checkpoint */
/** @typedef {import('./models/checkpoints/open.js').OpenOptions} OpenOptions */
/** @typedef {import('./models/checkpoints/open.js').ModelOptions} OpenModelOptions */
/** @typedef {import('./models/checkpoints/opened.js').OpenedModel} OpenedModel */
/** @typedef {import('./js/model/model.js').Embedding} Embedding */
/** @typedef {import('./models/formats/source.js').FileLike} FileLike */
/** @typedef {import('./models/formats/source.js').Handle} Handle */
/** @typedef {import('./models/formats/token-lists.js').ListedTokenizer} ListedTokenizer */
/** @typedef {import('./js/runtime/engine.js').LoadOptions} LoadOptions */
/** @typedef {import('./js/glassformer.js').Glassformer} Glassformer */
/** @typedef {import('./js/stored/matrix.js').StoredMatrix} StoredMatrix */
/** @typedef {import('./js/stored/matrix.js').StoredType} StoredType */
/** @typedef {import('./js/tape/tape.js').Tape} StoredTape */
/** @typedef {import('./js/stored/numbers.js').StoredNumbers} StoredNumbers */
/** @typedef {import('./js/stored/matrix.js').Arithmetic} Arithmetic */
/** @typedef {import('./js/ops/kit/integers.js').IntegerPart} IntegerPart */
/** @typedef {import('./js/stored/numbers.js').StoredWeight} StoredWeight */
/** @typedef {import('./js/model/config/parameters.js').ModelConfig} ModelConfig */
/** @typedef {import('./models/checkpoints/variant.js').ModelConfig} CheckpointConfig */
/** @typedef {import('./models/checkpoints/variant.js').Variant} Variant */

/** @typedef {import('./models/opener.js').ModelOpener} ModelOpener */

/** Compiles the core, which is inlined, and gives its functions: those of the main entry's load(), and openModel.
 * @deprecated goes in 2.0; use open of glassformer, which makes the core too
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
