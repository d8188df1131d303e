// The entry whose core is a file of its own: fetched from beside this one.

import { glassformer } from '../glassformer.js';
import { start } from '../runtime/engine.js';
import { core } from './fetched.js';

export * from '../../api.js';

/** @typedef {import('../runtime/engine.js').LoadOptions} LoadOptions */
/** @typedef {import('../glassformer.js').Glassformer} Glassformer */

/** Fetches and compiles the core, and gives its functions.
 * @param {LoadOptions} [options]
 * @returns {Promise<Glassformer>} */
export async function load(options) {
  return glassformer(await start(core, options));
}
