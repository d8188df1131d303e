// Errors on their way from one thread to another.

import { GlassformerError } from './errors.js';

/** The parts of an error that are sent.
 * @typedef {object} Passed
 * @property {string} name of its class
 * @property {string} message
 * @property {import('./errors.js').Code} [code] the engine's errors may have one of their own
 * @property {string} [detail] of ours alone
 * @property {import('./message.js').Params} [params]
 * @property {string} [file] that could not be fetched
 * @property {number | null} [status] of its host's answer */

/** A copy as a message would have it; undefined for what cannot be sent, or throws when it is read.
 * @param {() => unknown} read @returns {any} */
function sendable(read) {
  try {
    return structuredClone(read());
  } catch {
    return undefined;
  }
}

/** Whatever was thrown, as something that can always be sent.
 * @param {unknown} thrown
 * @returns {Passed} */
export function pass(thrown) {
  const error = thrown instanceof Error ? thrown : { message: sendable(() => String(thrown)) };
  const part = (/** @type {string} */ name) => sendable(() => /** @type {any} */ (error)[name]);
  const text = (/** @type {string} */ name) => {
    const value = part(name);
    return typeof value === 'string' ? value : undefined;
  };
  const params = part('params');
  return {
    name: text('name') ?? 'Error',
    message: text('message') ?? '',
    code: /** @type {import('./errors.js').Code | undefined} */ (text('code')),
    /* A sentence whose parts are lost cannot be filled in. */
    ...(params && { detail: text('detail'), params }),
    file: text('file'),
    status: part('status'),
  };
}

/** The same error, of the same class.
 * @param {Passed} passed
 * @returns {Error} */
export function received({ name, message, code, detail, params }) {
  const parts = { message, ...(code && { code }), ...(detail && { detail, params }) };
  if (name === 'TypeError') return Object.assign(new TypeError(), parts);
  if (name === 'RangeError') return Object.assign(new RangeError(), parts);
  if (!code || !detail) return Object.assign(new Error(), parts);
  /* Its sentence may be of a table that only the other thread has: the text comes along. */
  const error = new GlassformerError(code, { detail: 'model', params: {} });
  return Object.assign(error, parts, {
    node: typeof params?.node === 'string' ? params.node : null,
  });
}
