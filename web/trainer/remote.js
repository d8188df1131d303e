// The page's end of the worker: questions as promises.

/** @typedef {import('./protocol.js').Questions} Questions */
/** @typedef {import('./protocol.js').Answers} Answers */
/** @typedef {import('./protocol.js').Telling} Telling */

/** What the worker refused, with the core's code if it has one. */
export class Refusal extends Error {
  /** @param {import('./protocol.js').Failure} failure */
  constructor({ message, code, detail, params }) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
    this.detail = detail;
    this.params = params;
  }
}

export class Remote {
  #worker;
  #last = 0;
  /** @type {Map<number, { resolve: (answer: any) => void, reject: (error: Error) => void }>} */
  #open = new Map();

  /**
   * @param {Pick<Worker, 'postMessage' | 'terminate' | 'addEventListener'>} worker
   * @param {{ onProgress: (progress: import('./protocol.js').Progress) => void,
   *   onReplay: (replay: import('./protocol.js').Replay) => void }} listener
   */
  constructor(worker, { onProgress, onReplay }) {
    this.#worker = worker;
    worker.addEventListener('message', ({ data }) => {
      const telling = /** @type {Telling} */ (/** @type {MessageEvent} */ ({ data }).data);
      if ('progress' in telling) onProgress(telling.progress);
      else if ('replay' in telling) onReplay(telling.replay);
      else this.#settle(telling);
    });
    worker.addEventListener('error', (event) => {
      const message = /** @type {ErrorEvent} */ (event).message || 'the worker could not start';
      for (const { reject } of this.#open.values()) reject(new Error(message));
      this.#open.clear();
    });
  }

  /** @param {import('./protocol.js').Reply} reply */
  #settle(reply) {
    const waiting = this.#open.get(reply.id);
    this.#open.delete(reply.id);
    if ('error' in reply) waiting?.reject(new Refusal(reply.error));
    else waiting?.resolve(reply.answer);
  }

  /**
   * Asks; after the signal the answer comes early.
   * @template {keyof Questions} K
   * @param {K} what
   * @param {Questions[K]} question
   * @param {AbortSignal} [signal]
   * @returns {Promise<Answers[K]>}
   */
  ask(what, question, signal) {
    const id = ++this.#last;
    const answer = new Promise((resolve, reject) => this.#open.set(id, { resolve, reject }));
    this.#worker.postMessage({ id, do: what, ...question });
    const cancel = () => this.#worker.postMessage({ cancel: id });
    if (signal?.aborted) cancel();
    else signal?.addEventListener('abort', cancel, { once: true });
    return answer;
  }

  close() {
    this.#worker.terminate();
  }
}
