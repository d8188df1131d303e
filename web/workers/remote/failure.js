// What a question to a worker may be rejected with.

/** What the far side refused. */
export class Refusal extends Error {
  /** @param {import('../../../bindings/js/base/passed.js').Passed} passed */
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
