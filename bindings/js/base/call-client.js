// Calls of functions on the far side of a port, which is a worker's or stands for one. Each call settles: with an answer, or
// with an error of the far side, of this one, or of a message that cannot be sent. The other end is call-server.js.

import { received } from './passed.js';

/** What the far side posts: the answer of a call, its error, or an event before these.
 * @typedef {{ id?: number, answer?: unknown, error?: import('./passed.js').Passed, event?: unknown }} Posted */

/** Hears the events of a call. What it throws rejects the call; `reply` is what the far side waits for, if it asked.
 * @typedef {(event: unknown, reply: (value: unknown) => void) => unknown} EventListener */

/** @typedef {{ resolve: (answer: unknown) => void, reject: (error: unknown) => void, onEvent: EventListener }} Call */

export class Client {
  #post;
  #errorOf;
  #last = 0;
  /** @type {Map<number, Call>} */
  #calls = new Map();

  /** @param {(message: object) => void} post throws if a message cannot be sent
   * @param {(error: import('./passed.js').Passed) => Error} [errorOf] what a call is rejected with */
  constructor(post, errorOf = received) {
    this.#post = post;
    this.#errorOf = errorOf;
  }

  /** How many calls have not settled. */
  get size() {
    return this.#calls.size;
  }

  /** After one of the signals the answer comes early.
   * @param {string} name @param {unknown} input
   * @param {{ signals?: AbortSignal[], onEvent?: EventListener }} [options]
   * @returns {Promise<unknown>} */
  async call(name, input, { signals = [], onEvent = () => {} } = {}) {
    const id = ++this.#last;
    this.#post({ id, call: name, input, isAborted: signals.some(({ aborted }) => aborted) });
    const abort = () => this.#post({ id, abort: true });
    for (const signal of signals) signal.addEventListener('abort', abort);
    try {
      return await new Promise((resolve, reject) => {
        this.#calls.set(id, { resolve, reject, onEvent });
      });
    } finally {
      for (const signal of signals) signal.removeEventListener('abort', abort);
      this.#calls.delete(id);
    }
  }

  /** @param {Posted} posted */
  hear({ id, answer, error, event }) {
    const call = id !== undefined && this.#calls.get(id);
    if (!call) return;
    if (error) call.reject(this.#errorOf(error));
    else if (event !== undefined) this.#hearEvent(id, call, event);
    else call.resolve(answer);
  }

  /** @param {number} id @param {Call} call @param {unknown} event */
  async #hearEvent(id, { reject, onEvent }, event) {
    try {
      await onEvent(event, (value) => this.#post({ id, reply: value }));
    } catch (error) {
      reject(error);
      this.#post({ id, abort: true });
    }
  }

  /** The far side has ended: rejects all calls. @param {Error} reason */
  end(reason) {
    for (const { reject } of this.#calls.values()) reject(reason);
  }
}
