// The tokenizer of a model in a worker, and chats with the model.

import { withWhole } from '../text/stream.js';
import { generation } from './generation.js';

/** @typedef {import('../formats/chat.js').Message} Message */
/** @typedef {import('./generation.js').WorkerTextOptions} WorkerTextOptions */
/** @typedef {import('./generation.js').Besides} Besides */
/**
 * @template T
 * @typedef {import('../text/index.js').GenerationStream<T>} GenerationStream */

/** Asks something of the model there.
 * @callback Ask
 * @param {string} call
 * @param {readonly unknown[]} args
 * @param {object} [options]
 * @param {Besides} [besides]
 * @returns {Promise<unknown>} */

/** What there is to tell of a chat.
 * @typedef {{ messages: Message[], trimmed: number, bytes: number, maxLength: number }} SessionState */

/** The tokenizer of a model in a worker: the functions of a tokenizer here, as promises. */
export class WorkerTokenizer {
  #ask;

  /** @param {Ask} ask @param {readonly number[]} stops */
  constructor(ask, stops) {
    this.#ask = ask;
    /** The tokens that end a text. */
    this.stops = stops;
  }

  /** The ids of a text. @param {string} text @param {{ special?: boolean }} [options] special: with what the file puts around a text, true by
   *   default
   * @returns {Promise<number[]>} */
  encode(text, options) {
    return /** @type {Promise<number[]>} */ (this.#ask('encode', [text], options));
  }

  /** The text of ids. @param {ArrayLike<number>} ids
   * @returns {Promise<string>} */
  decode(ids) {
    return /** @type {Promise<string>} */ (this.#ask('decode', [ids]));
  }

  /** Each token as the vocabulary has it. @param {ArrayLike<number>} ids
   * @returns {Promise<string[]>} */
  tokens(ids) {
    return /** @type {Promise<string[]>} */ (this.#ask('tokens', [ids]));
  }
}

/** A chat with a model in a worker, as `session` of glassformer/chat gives one here. */
export class WorkerSession {
  #ask;
  #number;

  /** @param {Ask} ask @param {SessionState & { number: number }} state */
  constructor(ask, { number, ...state }) {
    this.#ask = ask;
    this.#number = number;
    /** All that was said, oldest first. */
    this.messages = state.messages;
    /** How many of the oldest messages behind the system message the model no longer reads. */
    this.trimmed = state.trimmed;
    /** How many bytes of keys and values are kept for the next turn. */
    this.bytes = state.bytes;
    /** The most tokens of the chat that the model reads at once. */
    this.maxLength = state.maxLength;
  }

  /** Asks, and streams the answer, as the session here does.
   * @param {string | Message} message @param {WorkerTextOptions} [options]
   * @returns {GenerationStream<string>} */
  ask(message, options) {
    const asked = { number: this.#number, message };
    const stream = generation('ask', (besides) => this.#ask('ask', [asked], options, besides));
    return withWhole('ask', this.#answer(stream), stream.result);
  }

  /** @param {GenerationStream<string>} stream */
  async *#answer(stream) {
    try {
      yield* stream;
    } finally {
      Object.assign(this, await this.#ask('sessionState', [this.#number]));
    }
  }

  /** Gives the kept keys and values back. @returns {Promise<void>} */
  dispose() {
    return /** @type {Promise<void>} */ (this.#ask('sessionDispose', [this.#number]));
  }
}
