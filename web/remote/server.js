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
    this.#answers.catch((error) => tell({ fatal: failureOf(error) }));
  }

  /**
   * Hears what the page says; resolves when it is answered.
   * @param {Record<string, any>} said
   */
  hear(said) {
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
      const answer = await (await this.#answers)[what](question, signal);
      this.#tell({ id, answer }, [...buffersOf(answer)]);
    } catch (error) {
      this.#refuse(id, error);
    }
    this.#pending.delete(id);
  }

  /**
   * @param {number} id
   * @param {unknown} error
   */
  #refuse(id, error) {
    const failure = failureOf(error);
    try {
      this.#tell({ id, error: failure });
    } catch {
      /* What fills in its sentence may be nothing that can be sent. */
      const { name, message, code } = failure;
      this.#tell({ id, error: { name, message, code } });
    }
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
    if ('live' in data) live(data.live, tell);
    else server.hear(data);
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
 * The memory of all typed arrays in a message: it is handed over, not copied.
 * @param {unknown} value
 * @param {Set<Transferable>} [found]
 */
export function buffersOf(value, found = new Set()) {
  if (ArrayBuffer.isView(value)) found.add(/** @type {ArrayBuffer} */ (value.buffer));
  else if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) buffersOf(part, found);
  }
  return found;
}
