// The far side of call-client.js: answers calls. An error that cannot be sent, or an answer, stops no later call.

import { pass } from './passed.js';

/** Further inputs of a function.
 * @typedef {object} Context
 * @property {AbortSignal} signal
 * @property {(event: object) => void} tell posts an event
 * @property {(event: object) => Promise<unknown>} ask posts an event, and waits for the reply; undefined once the signal came */

/** @typedef {{ controller: AbortController, take: (reply?: unknown) => void }} Job */

export class Server {
  #post;
  #answer;
  /** @type {Map<number, Job>} */
  #jobs = new Map();

  /** @param {(message: object) => void} post
   * @param {(name: string, input: unknown, context: Context) => Promise<unknown>} answer */
  constructor(post, answer) {
    this.#post = post;
    this.#answer = answer;
  }

  /** Resolves once a call is answered. What is no message of the client has no effect.
   * @param {unknown} message */
  async hear(message) {
    const { id, call, input, isAborted, abort, reply } = Object(message);
    if (typeof call === 'string') await this.#hearCall(id, call, input, isAborted);
    else if (abort) this.#abort(this.#jobs.get(id));
    else this.#jobs.get(id)?.take(reply);
  }

  /** @param {number} id @param {string} name @param {unknown} input @param {boolean} isAborted */
  async #hearCall(id, name, input, isAborted) {
    /** @type {Job} */
    const job = { controller: new AbortController(), take: () => {} };
    this.#jobs.set(id, job);
    if (isAborted) this.#abort(job);
    try {
      const answer = await this.#answer(name, input, this.#contextOf(id, job));
      this.#post({ id, answer });
    } catch (error) {
      try {
        this.#post({ id, error: pass(error) });
      } catch {
        /* The far side is gone. */
      }
    } finally {
      this.#jobs.delete(id);
    }
  }

  /** @param {number} id @param {Job} job @returns {Context} */
  #contextOf(id, job) {
    const { signal } = job.controller;
    const tell = (/** @type {object} */ event) => this.#post({ id, event });
    const ask = (/** @type {object} */ event) =>
      new Promise((resolve) => {
        job.take = resolve;
        tell(event);
        if (signal.aborted) resolve(undefined);
      });
    return { signal, tell, ask };
  }

  /** @param {Job} [job] */
  #abort(job) {
    job?.controller.abort();
    job?.take();
  }

  /** Aborts all calls. */
  abort() {
    for (const job of this.#jobs.values()) this.#abort(job);
  }
}
