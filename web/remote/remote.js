// The page's end of a worker: questions as promises. Each is settled: answered, refused, or rejected once the worker
// ends, by itself or because nobody wants to wait. The next question starts another one, which knows nothing of this.
import { Ended, Refusal } from './failure.js';

/**
 * What a worker is to the page.
 * @typedef {Pick<Worker, 'postMessage' | 'terminate' | 'addEventListener'>} Port
 */
/**
 * What is said by the far side: the answer to a question, or anything else beside it; living: it holds that lock;
 * fatal: it will never answer.
 * @typedef {{ id?: number, answer?: any, error?: import('./failure.js').Failure, living?: string,
 *   fatal?: import('./failure.js').Failure } & Record<string, any>} Telling
 */

let lives = 0;

/** Tells the page that something it needs may not be there. */
const missing = () => globalThis.dispatchEvent?.(new Event('gf-missing'));

/**
 * What is asked, and what is answered, by the same names.
 * @template {Record<string, any>} Questions
 * @template {Record<keyof Questions, any>} Answers
 */
export class Remote {
  #open;
  #heard;
  #ended;
  /** @type {Port | null} */
  #port = null;
  #last = 0;
  /** @type {Map<number, { resolve: (answer: any) => void, reject: (error: Error) => void }>} */
  #waiting = new Map();
  #guard = new AbortController();
  #begun = false;

  /**
   * @param {() => Port} open starts a worker
   * @param {{ heard?: (telling: Telling) => void, ended?: (reason: Ended) => void }} [listener] heard: what is told
   *   beside the answers; ended: the worker ended by itself
   */
  constructor(open, { heard = () => {}, ended = () => {} } = {}) {
    this.#open = open;
    this.#heard = heard;
    this.#ended = ended;
  }

  /** Whether there is a worker. */
  get running() {
    return this.#port !== null;
  }

  /**
   * Asks; after the signal the answer comes early.
   * @template {keyof Questions & string} K
   * @param {K} what
   * @param {Questions[K]} question
   * @param {AbortSignal} [signal]
   * @returns {Promise<Answers[K]>}
   */
  ask(what, question, signal) {
    const id = ++this.#last;
    /* What throws in here, such as a question that cannot be sent, rejects the answer. */
    const answer = new Promise((resolve, reject) => {
      const message = { ...question, id, do: what };
      this.#port ??= this.#start();
      this.#port.postMessage(message);
      this.#waiting.set(id, { resolve, reject });
    });
    const port = this.#port;
    const cancel = () => this.#waiting.has(id) && port?.postMessage({ cancel: id });
    if (signal?.aborted) cancel();
    else signal?.addEventListener('abort', cancel, { once: true });
    return answer.finally(() => signal?.removeEventListener('abort', cancel));
  }

  /** Ends the worker. @param {Error} [reason] told to whoever waits */
  close(reason = new Ended()) {
    const port = this.#port;
    this.#port = null;
    port?.terminate();
    this.#guard.abort();
    for (const { reject } of this.#waiting.values()) reject(reason);
    this.#waiting.clear();
  }

  /** @param {string} [why] */
  #end(why) {
    const reason = new Ended(why, this.#begun);
    missing();
    this.close(reason);
    this.#ended(reason);
  }

  #start() {
    const port = this.#open();
    this.#begun = false;
    /* One that was ended may have spoken before. */
    const on = (/** @type {string} */ type, /** @type {(event: any) => void} */ heard) =>
      port.addEventListener(type, (event) => this.#port === port && heard(event));
    on('message', ({ data }) => this.#hear(data));
    on('error', ({ message }) => this.#end(message));
    on('messageerror', () => this.#end());
    /* No event tells of a worker that was ended from outside; but its locks are free then. */
    this.#guard = new AbortController();
    if (globalThis.navigator?.locks)
      port.postMessage({ live: `glassformer-${Date.now()}-${++lives}` });
    return port;
  }

  /** @param {Telling} telling */
  #hear(telling) {
    this.#begun = true;
    const { id, living, fatal } = telling;
    if (id !== undefined) this.#settle(id, telling);
    else if (living !== undefined) this.#outlive(living);
    else if (fatal) this.#end(fatal.message);
    else this.#heard(telling);
  }

  /**
   * @param {number} id
   * @param {Telling} reply
   */
  #settle(id, { answer, error }) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    /* What has no code is no answer of ours: a file may be missing over there. */
    if (error && (!error.code || error.code === 'GF_EMODULE')) missing();
    if (error) waiting?.reject(new Refusal(error));
    else waiting?.resolve(answer);
  }

  /** Waits for a lock that the worker holds as long as it lives. @param {string} lock */
  #outlive(lock) {
    const { signal } = this.#guard;
    navigator.locks
      .request(lock, { signal }, () => {
        if (!signal.aborted) this.#end();
      })
      .catch(() => {});
  }
}
