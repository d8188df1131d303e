/// <reference lib="esnext.disposable" preserve="true" />
// Glassformer: a transformer you can see through. This is all that the package exports.

import { start } from './engine.js';
import { Glassformer as Core } from './glassformer.js';

export { GlassformerError } from './errors.js';
export { examples } from './example.js';
export { explain } from './explain.js';
export { sentence } from './sentence.js';

/** @typedef {import('./example.js').Example} Example */
/** @typedef {import('./sentence.js').SentenceOptions} SentenceOptions */
/** @typedef {import('./engine.js').LoadOptions} LoadOptions */
/** @typedef {import('./tape.js').Tape} Tape */
/** @typedef {import('./tensor.js').Tensor} Tensor */
/** @typedef {import('./trace.js').Trace} Trace */
/** @typedef {import('./trace.js').Step} Step */
/** @typedef {import('./explain.js').Explanation} Explanation */
/** @typedef {Core} Glassformer */

/** Compiles the core, which is inlined, and gives its functions.
 * @param {LoadOptions} [options]
 * @returns {Promise<Glassformer>} */
export async function load(options) {
  return new Core(await start(options));
}
