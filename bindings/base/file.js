// How a file is read as JSON, and refused for what an argument would be refused for.

import { GlassformerError, within } from './errors.js';
import { refusing } from './file-texts.js';

/** @typedef {import('./errors.js').Told} Told */

/** What a text of a file says in JSON.
 * @param {string} part @param {string} text @param {(key: string, value: unknown) => unknown} [reviver]
 * @returns {unknown} */
export function parse(part, text, reviver) {
  try {
    return JSON.parse(text, reviver);
  } catch (error) {
    /* A reviver goes down into arrays as far as the stack reaches. */
    const { message: reason } = /** @type {Error} */ (error);
    const detail = error instanceof SyntaxError ? 'json' : 'jsonDeep';
    return refusing(part)(detail, { given: text, reason });
  }
}

/** A replacer for JSON, which has no infinities and no NaN: they are strings, such as "-Infinity".
 * @param {string} _ @param {unknown} value */
export const jsonValue = (_, value) =>
  typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;

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
