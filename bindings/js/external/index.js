// The entry whose core is a file of its own: fetched from beside this one.

import { glassformer } from '../glassformer.js';
import { start } from '../runtime/engine.js';
import { core } from './fetched.js';

export * from '../../api.js';

/** @typedef {import('../runtime/engine.js').LoadOptions} LoadOptions */
/** @typedef {import('../glassformer.js').Glassformer} Glassformer */

/** The core as a file of its own, for load({ core: external() }): JavaScript has it not inlined then, and browsers cache it once
 * for many pages.
 * @returns {import('../runtime/engine.js').Core<{}>}
 * @example
 * import { load } from 'glassformer';
 * import { external } from 'glassformer/cores';
 *
 * const gf = await load({ core: external() });
 * gf.softmax([[0, 0]]); // = [[0.5, 0.5]] */
export const external = () => () => start(core);

/** Fetches and compiles the core, and gives its functions.
 * @deprecated goes in 2.0; use load({ core: external() }) of glassformer, with external of glassformer/cores
 * @param {LoadOptions} [options]
 * @returns {Promise<Glassformer>} */
export async function load(options) {
  return glassformer(await start(core, options));
}
