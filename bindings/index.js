// Glassformer: a transformer you can see through. The core is inlined: nothing to configure.

import { core } from './js/embedded.js';
import { glassformer } from './js/glassformer.js';
import { start } from './js/runtime/engine.js';

export * from './api.js';

/** @typedef {import('./js/runtime/engine.js').LoadOptions} LoadOptions */
/** @typedef {import('./js/glassformer.js').Glassformer} Glassformer */

/** Compiles the core, which is inlined, and gives its functions.
 * @param {LoadOptions} [options]
 * @returns {Promise<Glassformer>}
 * @example
 * import { load } from 'glassformer';
 *
 * const gf = await load();
 * gf.softmax([[0, 0]]); // = [[0.5, 0.5]] */
export async function load(options) {
  return glassformer(await start(core, options));
}
