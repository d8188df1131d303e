// What went wrong on the far side, as it crosses the border.

/**
 * code, detail, params: of an error that has them, the sentence's name and what fills it in; file, status: of one
 * that did not come.
 * @typedef {{ name: string, message: string, code: string | null, detail?: string, params?: object,
 *   file?: string, status?: number | null }} Failure
 */

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
 * @returns {Failure} */
export function failureOf(thrown) {
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
    code: text('code') ?? null,
    /* A sentence whose parts are lost cannot be filled in. */
    ...(params && { detail: text('detail'), params }),
    file: text('file'),
    status: part('status'),
  };
}

/** What the far side refused. */
export class Refusal extends Error {
  /** @param {Failure} failure */
  constructor({ message, code, detail, params, file, status }) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
    this.detail = detail;
    this.params = params;
    this.file = file;
    this.status = status;
  }
}

/** The far side is no more: nothing that was asked will be answered. */
export class Ended extends Error {
  /**
   * @param {string} [message] why, where that is known
   * @param {boolean} [begun] whether it had ever spoken
   */
  constructor(message = '', begun = true) {
    super(message);
    this.name = 'Ended';
    this.begun = begun;
  }
}
