// Stands in for a worker where the browser allows none, as in some frames: the same answers, computed on the page's
// thread.
import { serverOf } from './server.js';

export class Local extends EventTarget {
  #server;
  #ended = false;

  /** @param {(tell: import('./server.js').Tell) => Promise<import('./server.js').Answers>} answersOf */
  constructor(answersOf) {
    super();
    /** @type {import('./server.js').Tell} */
    const tell = (telling, transfer = []) => {
      const data = structuredClone(telling, { transfer });
      if (!this.#ended) this.dispatchEvent(new MessageEvent('message', { data }));
    };
    this.#server = serverOf(answersOf(tell), tell);
  }

  /** @param {any} said */
  postMessage(said) {
    this.#server.hear(structuredClone(said));
  }

  terminate() {
    this.#ended = true;
    this.#server.abort();
  }
}

/**
 * A worker, or its stand-in.
 * @param {() => Worker} start
 * @param {ConstructorParameters<typeof Local>[0]} answersOf
 * @param {() => void} [standsIn] is called if there can be no worker
 * @returns {import('./remote.js').Port}
 */
export function portOf(start, answersOf, standsIn) {
  try {
    return start();
  } catch {
    standsIn?.();
    return new Local(answersOf);
  }
}
