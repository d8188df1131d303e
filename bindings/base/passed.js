// Errors on their way from one thread to another.

import { GlassformerError } from './errors.js';

/** What crosses of an error.
 * @typedef {object} Passed
 * @property {string} name of its class
 * @property {string} message
 * @property {import('./errors.js').Code} [code] the engine's errors may have one of their own
 * @property {string} [detail] of ours alone
 * @property {import('./message.js').Params} [params] */

/** @param {unknown} error
 * @returns {Passed} */
export function pass(error) {
  const { name = 'Error', message = String(error), code, detail, params } = Object(error);
  return { name, message, code, detail, params };
}

/** The same error, of the same class.
 * @param {Passed} passed
 * @returns {Error} */
export function received({ name, message, code, detail, params }) {
  const told = { message, ...(code && { code }), ...(detail && { detail, params }) };
  if (name === 'TypeError') return Object.assign(new TypeError(), told);
  if (name === 'RangeError') return Object.assign(new RangeError(), told);
  if (!code || !detail) return Object.assign(new Error(), told);
  /* Its sentence may be of a table that only the other thread has: the text comes along. */
  const error = new GlassformerError(code, { detail: 'model', params: {} });
  return Object.assign(error, told, {
    node: typeof params?.node === 'string' ? params.node : null,
  });
}
