// The entry whose core is a file of its own: fetched from beside this one.

import { glassformer } from '../glassformer.js';
import { start } from '../runtime/engine.js';
import { failure } from './texts.js';

export * from '../api.js';

/** @typedef {import('../runtime/engine.js').Wasm} Wasm */
/** @typedef {import('../runtime/engine.js').LoadOptions} LoadOptions */
/** @typedef {import('../glassformer.js').Glassformer} Glassformer */

/** @param {URL} address @param {string} what happened
 * @returns {never} */
function fail({ href }, what) {
  const told = { where: 'load', address: href, reason: what };
  throw failure('GF_EMODULE', 'notFetched', told);
}

/** @param {URL} address
 * @returns {Promise<Wasm>} */
async function fetched(address) {
  const response = await fetch(address).catch((error) => fail(address, error.message));
  if (!response.ok) fail(address, `${response.status} ${response.statusText}`);
  return { bytes: await response.arrayBuffer(), from: address.href };
}

/* Bundlers find the file by these very words. */
const core = () => fetched(new URL('../generated/glassformer.wasm', import.meta.url));

/** Fetches and compiles the core, and gives its functions.
 * @param {LoadOptions} [options]
 * @returns {Promise<Glassformer>} */
export async function load(options) {
  return glassformer(await start(core, options));
}
