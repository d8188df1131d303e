// What went wrong on the far side, as it crosses the border.

/**
 * code, detail, params: of an error that has them, the sentence's name and what fills it in; file, status: of one
 * that did not come.
 * @typedef {{ name: string, message: string, code: string | null, detail?: string, params?: object,
 *   file?: string, status?: number | null }} Failure
 */

/** @param {unknown} given
 * @returns {Failure} */
export function failureOf(given) {
  const error = given instanceof Error ? given : new Error(String(given));
  const { name, message, code = null, detail, params, file, status } = /** @type {any} */ (error);
  return { name, message, code, detail, params, file, status };
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
