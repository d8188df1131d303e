// The entry whose core is a file of its own, where files are read: Node, Deno, Bun.

import { readFile } from 'node:fs/promises';
import { glassformer } from '../glassformer.js';
import { start } from '../runtime/engine.js';

export * from '../../api.js';

/** @typedef {import('../runtime/engine.js').Wasm} Wasm */
/** @typedef {import('../runtime/engine.js').LoadOptions} LoadOptions */
/** @typedef {import('../glassformer.js').Glassformer} Glassformer */

/** @param {URL} address
 * @returns {Promise<Wasm>} */
const read = async (address) => ({ bytes: await readFile(address), from: address.href });

const core = () => read(new URL('../../generated/glassformer.wasm', import.meta.url));

/** Reads and compiles the core, and gives its functions.
 * @param {LoadOptions} [options]
 * @returns {Promise<Glassformer>} */
export async function load(options) {
  return glassformer(await start(core, options));
}
