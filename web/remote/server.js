// The far end: answers what the page asks, one question after the other, in their order. `cancel` alone is heard at
// once: it aborts the signal of that question, whose answer then comes early.
import { failureOf } from './failure.js';

/** @typedef {(telling: Record<string, any>, transfer?: Transferable[]) => void} Tell */
/** By the names of the questions. @typedef {Record<string, any>} Answers */

export class Server {
  #answers;
  #tell;
  /** @type {Promise<void>} */
  #queue = Promise.resolve();
  /** @type {Map<number, AbortController>} */
  #pending = new Map();

  /**
   * @param {Answers | Promise<Answers>} answers
   * @param {Tell} tell
   */
  constructor(answers, tell) {
    this.#tell = tell;
    this.#answers = Promise.resolve(answers);
    this.#answers.catch((error) => this.#fail({ fatal: failureOf(error) }));
  }

  /**
   * Hears what the page says; resolves when it is answered.
   * @param {Record<string, any>} said
   */
  hear(said) {
    if (typeof said !== 'object' || said === null) return Promise.resolve();
    if ('cancel' in said) this.#pending.get(said.cancel)?.abort();
    if (!('do' in said)) return Promise.resolve();
    const stop = new AbortController();
    this.#pending.set(said.id, stop);
    this.#queue = this.#queue.then(() => this.#answer(said, stop.signal));
    return this.#queue;
  }

  /** Nothing more is wanted. */
  stop() {
    for (const pending of this.#pending.values()) pending.abort();
  }

  /**
   * @param {Record<string, any>} said
   * @param {AbortSignal} signal
   */
  async #answer({ id, do: what, ...question }, signal) {
    try {
      const answers = await this.#answers;
      /* Names that every object has are no questions. */
      const answering = what in Object.prototype ? undefined : answers[what];
      if (typeof answering !== 'function') throw new TypeError(`no answer to "${what}"`);
      const answer = await answering.call(answers, question, signal);
      this.#tell({ id, answer }, [...buffersOf(answer)]);
    } catch (error) {
      this.#fail({ id, error: failureOf(error) });
    }
    this.#pending.delete(id);
  }

  /** Tells a failure. If even that throws, nobody can be told; the next question is answered all the same.
   * @param {Record<string, any>} telling */
  #fail(telling) {
    try {
      this.#tell(telling);
    } catch {}
  }
}

/**
 * Answers from the worker that this runs in.
 * @param {(tell: Tell) => Promise<Answers>} answersOf
 */
export function serve(answersOf) {
  /** @type {Tell} */
  const tell = (telling, transfer = []) => postMessage(telling, { transfer });
  const server = new Server(answersOf(tell), tell);
  addEventListener('message', ({ data }) => {
    if (data?.live) live(data.live, tell);
    else server.hear(data);
  });
  /* Which question it was cannot be known: nobody shall wait for its answer. */
  addEventListener('messageerror', () => {
    tell({ fatal: failureOf(new Error('a question could not be read')) });
  });
}

/**
 * Holds a lock until this worker is no more, which the page cannot know otherwise.
 * @param {string} lock
 * @param {Tell} tell
 */
function live(lock, tell) {
  const held = () => {
    tell({ living: lock });
    return new Promise(() => {});
  };
  navigator.locks?.request(lock, held).catch(() => {});
}

/**
 * The memory of all typed arrays in a message, however they nest: it is handed over, not copied.
 * @param {unknown} message
 * @returns {Set<Transferable>}
 */
export function buffersOf(message) {
  /** @type {Set<Transferable>} */
  const buffers = new Set();
  const objects = new Set([Object(message)]);
  for (const value of objects) {
    if (ArrayBuffer.isView(value)) buffers.add(/** @type {ArrayBuffer} */ (value.buffer));
    else for (const part of Object.values(value)) if (Object(part) === part) objects.add(part);
  }
  return buffers;
}
