// Reads files in a worker, and what it knows of them: tokens of texts, prompts of chats. Whoever does not want to wait ends
// the worker; the next question starts another one.
import { text as words } from '../../app/locale/text.js';
import { openReader } from '../../workers/reader/open.js';
import { Ended } from '../../workers/remote/failure.js';
import { Remote } from '../../workers/remote/remote.js';
import { lackOf } from './missing-file.js';

/** @typedef {import('../../workers/reader/answers.js').Files} Files */
/** @typedef {import('../../workers/reader/answers.js').Read} Read */

/** How long a text may take: milliseconds, unless a pattern of a tokenizer runs without end. */
const PATIENCE_MS = 10_000;

/** A failure in words of the page, if there are any. @param {unknown} error */
function explained(error) {
  if (error instanceof Ended)
    return error.message ? error : new Error(words('chapters/transformer/checkpoint/noWorker'));
  const lack = lackOf(error);
  return lack === null ? error : new Error(lack);
}

export class FileReader {
  #remote;
  /** What is to be known of the files that were read. @type {import('../../workers/reader/answers.js').Words | null} */
  #words = null;
  /** The files that were opened and not read. @type {Files | null} */
  #files = null;

  /** @param {(progress: import('../../workers/reader/answers.js').Progress) => void} onProgress */
  constructor(onProgress) {
    /** @type {Remote<import('../../workers/reader/answers.js').Questions, import('../../workers/reader/answers.js').Answers>} */
    this.#remote = new Remote(openReader, { heard: ({ progress }) => onProgress(progress) });
  }

  /**
   * @template T
   * @param {AbortSignal} signal ends the worker
   * @param {() => Promise<T>} work
   * @returns {Promise<T>} throws the signal's reason once it came
   */
  async #until(signal, work) {
    signal.throwIfAborted();
    const stop = () => this.close(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await work();
    } catch (error) {
      throw explained(error);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /**
   * @param {Files} files
   * @param {AbortSignal} signal
   * @returns {Promise<Read>}
   */
  read(files, signal) {
    return this.#until(signal, async () => {
      const read = await this.#remote.ask('read', { files });
      this.#words = read.words;
      return read;
    });
  }

  /**
   * Reads headers alone.
   * @param {Files} files
   * @param {AbortSignal} signal
   */
  open(files, signal) {
    return this.#until(signal, () => {
      this.#files = files;
      return this.#remote.ask('open', { files });
    });
  }

  /**
   * Some of the weights of the files that were opened.
   * @param {import('../../workers/reader/answers.js').Piece} piece
   * @param {AbortSignal} signal
   */
  bytes(piece, signal) {
    return this.#until(signal, () => this.#remote.ask('bytes', piece));
  }

  /**
   * What takes milliseconds, unless a pattern or a template runs without end.
   * @template {keyof import('../../workers/reader/answers.js').Questions} K
   * @param {K} what
   * @param {import('../../workers/reader/answers.js').Questions[K]} question
   * @param {AbortSignal} signal
   */
  ask(what, question, signal) {
    return this.#until(signal, async () => {
      const key = 'chapters/transformer/checkpoint/endless';
      const late = () => this.close(new Error(words(key, { seconds: PATIENCE_MS / 1000 })));
      const timeout = setTimeout(late, PATIENCE_MS);
      try {
        if (!this.#remote.running) await this.#again();
        return await this.#remote.ask(what, question);
      } finally {
        clearTimeout(timeout);
      }
    });
  }

  /** Hands a new worker what the last one knew. @returns {Promise<unknown>} */
  #again() {
    return this.#files
      ? this.#remote.ask('open', { files: this.#files })
      : this.#remote.ask('words', { words: this.#words });
  }

  /** @param {Error} reason with which pending calls reject */
  close(reason) {
    this.#remote.close(reason);
  }
}
