// The entry whose core is a file of its own, where files are read: Node, Deno, Bun.

import { readFile } from 'node:fs/promises';
import { glassformer } from '../glassformer.js';
import { start } from '../runtime/engine.js';

export * from '../../api.js';

/** @typedef {import('../runtime/engine.js').Wasm} Wasm */
/** @typedef {import('../runtime/engine.js').LoadOptions} LoadOptions */

/** @param {URL} address
 * @returns {Promise<Wasm>} */
const read = async (address) => ({ bytes: await readFile(address), from: address.href });

const core = () => read(new URL('../../generated/glassformer.wasm', import.meta.url));

/** The core as a file of its own, for load({ core: external() }): read from disk.
 * @returns {import('../runtime/engine.js').Core<{}>} */
export const external = () => () => start(core);

/** @typedef {import('../glassformer.js').Glassformer} Glassformer */

/** Reads and compiles the core, and gives its functions.
 * @deprecated goes in 2.0; use load({ core: external() }) of glassformer, with external of glassformer/cores
 * @param {LoadOptions} [options]
 * @returns {Promise<Glassformer>} */
export async function load(options) {
  return glassformer(await start(core, options));
}
