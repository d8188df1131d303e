// The page's end of a worker: questions as promises. Each is settled: answered, refused, or rejected once the worker
// ends, by itself or because nobody wants to wait. The next question starts another one, which knows nothing of this.
import { Client } from '../../../bindings/js/base/call-client.js';
import { Ended, Refusal } from './failure.js';

/**
 * What a worker is to the page.
 * @typedef {Pick<Worker, 'postMessage' | 'terminate' | 'addEventListener'>} Port
 */
/**
 * What is said by the far side: the answer to a question, or anything else beside it; living: it holds that lock;
 * fatal: it will never answer.
 * @typedef {import('../../../bindings/js/base/call-client.js').Posted & { living?: string, fatal?: { message: string } } &
 *   Record<string, any>} Telling
 */

let lives = 0;

/** Tells the page that something it needs may not be there. */
const missing = () => globalThis.dispatchEvent?.(new Event('gf-missing'));

/** @param {import('../../../bindings/js/base/passed.js').Passed} passed */
function refusalOf(passed) {
  /* What has no code is no answer of ours: a file may be missing over there. */
  if (!passed.code || passed.code === 'GF_EMODULE') missing();
  return new Refusal(passed);
}

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
  /** Asks what the present port is. @type {Client | null} */
  #client = null;
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
  async ask(what, question, signal) {
    this.#client ??= this.#start();
    const answer = this.#client.call(what, question, { signals: signal ? [signal] : [] });
    return /** @type {Promise<Answers[K]>} */ (answer);
  }

  /** Ends the worker. @param {Error} [reason] told to whoever waits */
  close(reason = new Ended()) {
    const [port, client] = [this.#port, this.#client];
    this.#port = null;
    this.#client = null;
    port?.terminate();
    this.#guard.abort();
    client?.end(reason);
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
    const client = new Client((message) => port.postMessage(message), refusalOf);
    this.#port = port;
    this.#begun = false;
    /* One that was ended may have spoken before. */
    const on = (/** @type {string} */ type, /** @type {(event: any) => void} */ heard) =>
      port.addEventListener(type, (event) => this.#port === port && heard(event));
    on('message', ({ data }) => this.#hear(data, client));
    on('error', ({ message }) => this.#end(message));
    on('messageerror', () => this.#end());
    /* No event tells of a worker that was ended from outside; but its locks are free then. */
    this.#guard = new AbortController();
    if (globalThis.navigator?.locks)
      port.postMessage({ live: `glassformer-${Date.now()}-${++lives}` });
    return client;
  }

  /** @param {Telling} telling @param {Client} client */
  #hear(telling, client) {
    this.#begun = true;
    const { id, living, fatal } = telling;
    if (id !== undefined) client.hear(telling);
    else if (living !== undefined) this.#watchLock(living);
    else if (fatal) this.#end(fatal.message);
    else this.#heard(telling);
  }

  /** Waits for a lock that the worker holds as long as it lives. @param {string} lock */
  #watchLock(lock) {
    const { signal } = this.#guard;
    navigator.locks
      .request(lock, { signal }, () => {
        if (!signal.aborted) this.#end();
      })
      .catch(() => {});
  }
}
