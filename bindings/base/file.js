// How a file is refused, whatever its format: one code, the file's part in question, and why.

import { GlassformerError, show } from './errors.js';

/** Refuses a file.
 * @param {string} part 'safetensors', 'model', 'config.json', ...
 * @param {string} reason
 * @returns {never} */
export function refuseFile(part, reason) {
  throw new GlassformerError('GF_EFILE', `${part}: ${reason}`);
}

/** Refuses a value in a file.
 * @param {string} part @param {string} field its path within the part, such as model.vocab["a"]
 * @param {string} expected @param {unknown} received
 * @returns {never} */
export function refuseField(part, field, expected, received) {
  const given = received === undefined ? 'nothing' : show(received);
  return refuseFile(part, `${field}: expected ${expected}, received ${given}`);
}

/** Checks what a file holds by the checks that arguments go through.
 * @template T
 * @param {string} part @param {() => T} check
 * @returns {T} */
export function withinFile(part, check) {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    return refuseFile(part, error.message);
  }
}
