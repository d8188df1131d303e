// The core as a file of its own, fetched from beside the package's modules.

import { failure } from './texts.js';

/** @param {URL} address @param {string} reason
 * @returns {never} */
function fail({ href }, reason) {
  throw failure('GF_EMODULE', 'notFetched', { where: 'load', address: href, reason });
}

/** @param {URL} address
 * @returns {Promise<import('../runtime/engine.js').Wasm>} */
async function fetched(address) {
  const response = await fetch(address).catch((error) => fail(address, error.message));
  if (!response.ok) fail(address, `${response.status} ${response.statusText}`);
  return { bytes: await response.arrayBuffer(), from: address.href };
}

/* Bundlers find the file by these very words. */
/** @type {import('../runtime/engine.js').Build} */
export const core = () => fetched(new URL('../../generated/glassformer.wasm', import.meta.url));
