// The questions to a frame: answered in their order, one after the other. Of several states that wait to be
// shown, the newest one that can be is; what was asked for before it has no effect then, and is answered with it.
import { turn } from '../../../bindings/js/base/turn.js';
import { idOf, questionOf, VERSION } from './protocol.js';

/** @typedef {NonNullable<ReturnType<typeof questionOf>>} Question */
/** @typedef {{ type: 'state' | 'error', id?: string | number, [what: string]: unknown }} Answer */
/**
 * @typedef {object} Waiting
 * @property {Question | null} question null: it is not right
 * @property {unknown} error why
 * @property {(type: Answer['type'], what: Record<string, unknown>) => void} reply
 */

/** Questions without a lasting effect, once another state is shown after them. */
const FLEETING = ['setState', 'play', 'pause', 'seek'];

export class Inbox {
  #answers;
  #stateOf;
  /** @type {Waiting[]} */
  #waiting = [];
  #busy = false;

  /**
   * @param {Record<string, (asked: any) => unknown>} answers what each question does
   * @param {() => string} stateOf
   */
  constructor(answers, stateOf) {
    this.#answers = answers;
    this.#stateOf = stateOf;
  }

  /**
   * @param {unknown} data a message
   * @param {(answer: Record<string, unknown>) => void} send
   */
  put(data, send) {
    /** @type {Waiting} */
    const waiting = {
      question: null,
      error: null,
      reply: (type, what) => send({ glassformer: VERSION, type, id: idOf(data), ...what }),
    };
    try {
      waiting.question = questionOf(data);
      if (!waiting.question) return;
    } catch (error) {
      waiting.error = error;
    }
    this.#waiting.push(waiting);
    if (!this.#busy) this.#work();
  }

  async #work() {
    this.#busy = true;
    while (this.#waiting.length > 0) {
      /* What was sent already comes in. */
      await turn();
      const batch = this.#waiting;
      this.#waiting = [];
      const shown = await this.#newest(batch);
      for (const [i, one] of batch.entries()) {
        if (one.question && !(i <= shown && FLEETING.includes(one.question.type))) {
          await this.#do(one);
        }
        this.#reply(one);
      }
    }
    this.#busy = false;
  }

  /** @param {Waiting} waiting */
  #reply({ error, reply }) {
    try {
      if (error) reply('error', { message: /** @type {Error} */ (error).message });
      else reply('state', { state: this.#stateOf() });
    } catch {
      /* Whoever asked is gone, or cannot be reached; the others still are. */
    }
  }

  /**
   * Shows the newest state that can be shown; its place in the batch, -1 if there is none.
   * @param {Waiting[]} batch
   */
  async #newest(batch) {
    for (const [i, one] of [...batch.entries()].reverse()) {
      if (one.question?.type !== 'setState') continue;
      await this.#do(one);
      if (!one.error) return i;
      one.question = null;
    }
    return -1;
  }

  /** @param {Waiting} waiting */
  async #do(waiting) {
    const { type, ...asked } = /** @type {Question} */ (waiting.question);
    try {
      await this.#answers[type](asked);
    } catch (error) {
      waiting.error = error instanceof Error ? error : new Error(String(error));
    }
  }
}
