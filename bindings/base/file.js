// How a file is refused, whatever its format: one code, the file's part in question, and why.

import { failure, GlassformerError, within } from './errors.js';

/** @typedef {import('./errors.js').Refuse} Refuse */
/** @typedef {import('./errors.js').Told} Told */

/** What refuses a file.
 * @param {string} part 'safetensors', 'model', 'config.json', ...
 * @returns {Refuse} */
export const refusing = (part) => (detail, params) => {
  throw failure('GF_EFILE', detail, within(part, params));
};

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
