// Open edX: a JSInput problem calls getState, setState and getGrade, in this window or by the messages of jschannel,
// which is how it reaches a frame of another origin. They are defined before the core is loaded: the platform soon stops
// trying.

/** @typedef {import('./host.js').Host} Host */

const SCOPE = 'JSInput::';

/** @implements {Host} */
export class JSInput {
  /** @type {(kept: unknown) => void} */
  take = () => {};
  keeps = false;
  /** The learner's work. @type {() => string} */
  work = () => '';
  /** Checks all, and says what it came to; null before the core is there. @type {() => Record<string, unknown> | null} */
  grade = () => null;
  /** Until it is there. @type {Promise<unknown>} */
  ready = Promise.resolve();

  #answers = {
    getState: () => this.#kept(this.work()),
    setState: (/** @type {unknown[]} */ ...params) => this.#kept(this.take(params.at(-1))),
    getGrade: () => {
      const grade = this.grade();
      /* A wrong grade would be kept; after an error the platform submits nothing. */
      if (!grade) throw new Error('The exercise is still loading. Submit again in a moment.');
      return this.#kept(JSON.stringify(grade));
    },
  };

  /** A platform that asks keeps the answer. @template T @param {T} answer */
  #kept(answer) {
    this.keeps = true;
    return answer;
  }

  constructor() {
    Object.assign(globalThis, this.#answers);
    if (parent === window) return;
    addEventListener('message', ({ source, data }) => {
      if (source === parent && typeof data === 'string') this.#hear(data);
    });
    this.#post({ method: `${SCOPE}__ready`, params: 'ping' });
  }

  /** @param {Record<string, unknown>} message */
  #post(message) {
    parent.postMessage(JSON.stringify(message), '*');
  }

  /** @param {string} data */
  async #hear(data) {
    const { id, method, params } = requestIn(data);
    if (method === '__ready' && params === 'ping') {
      this.#post({ method: `${SCOPE}__ready`, params: 'pong' });
    }
    const answer = new Map(Object.entries(this.#answers)).get(method);
    if (!id || !answer) return;
    if (method === 'getGrade') await this.ready;
    this.#post({ id, result: answer(params) ?? null });
  }
}

/**
 * What a message asks of this page, if anything.
 * @param {string} data
 * @returns {{ id?: unknown, method: string, params?: unknown }}
 */
function requestIn(data) {
  try {
    const message = JSON.parse(data);
    const { method } = Object(message);
    if (typeof method === 'string' && method.startsWith(SCOPE)) {
      return { ...message, method: method.slice(SCOPE.length) };
    }
  } catch {
    /* Some other message. */
  }
  return { method: '' };
}
