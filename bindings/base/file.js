// How a file is refused for what an argument would be refused for.

import { GlassformerError, within } from './errors.js';

/** @typedef {import('./errors.js').Told} Told */

/** Checks what a file holds by the checks that arguments go through: the same sentences, but it is the file
 * that is wrong.
 * @template T
 * @param {string} part @param {() => T} check
 * @returns {T} */
export function withinFile(part, check) {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    const { detail, params } = /** @type {Told} */ (/** @type {unknown} */ (error));
    throw new GlassformerError('GF_EFILE', { detail, params: within(part, params) });
  }
}
