// The streams of one run: what is read from them, and how things are told on them.

import { readFile } from 'node:fs/promises';
import { reasonOf } from './usage.js';

/** Where a run writes: a stream of Node's, or anything alike.
 * @typedef {object} Output
 * @property {(text: string, done: (error?: Error | null) => void) => unknown} write
 * @property {boolean} [isTTY] somebody watches: a line may be written over
 * @property {number} [columns] of the terminal
 * @property {() => boolean} [hasColors] Node's heeds NO_COLOR
 */
/**
 * @typedef {object} Streams
 * @property {AsyncIterable<Uint8Array>} stdin
 * @property {Output} stdout
 * @property {Output} stderr
 * @property {AbortSignal} [signal] ends the run: Ctrl+C
 */
/** How text looks: the columns it may take, and its inks.
 * @typedef {object} Look
 * @property {number} width
 * @property {(text: string) => string} bold
 * @property {(text: string) => string} dim
 * @property {(text: string) => string} red
 */

/** Of a file, a pipe, and a terminal that does not tell. */
const WIDTH = 80;

/** The code that begins an ink, and the one that ends it. */
const INKS = { bold: [1, 22], dim: [2, 22], red: [31, 39] };

export class Terminal {
  #streams;
  #progress = false;
  /** Nothing but the result. */
  quiet = false;

  /** @param {Streams} streams */
  constructor(streams) {
    this.#streams = streams;
  }

  get signal() {
    return this.#streams.signal;
  }

  /** @returns {Look} */
  get look() {
    const { stdout } = this.#streams;
    const coloured = stdout.hasColors?.();
    const ink = (/** @type {keyof typeof INKS} */ name) => (/** @type {string} */ text) =>
      coloured && text ? `\x1b[${INKS[name][0]}m${text}\x1b[${INKS[name][1]}m` : text;
    return {
      width: stdout.columns || WIDTH,
      bold: ink('bold'),
      dim: ink('dim'),
      red: ink('red'),
    };
  }

  /** The result; resolves when it is taken.
   * @param {string} text */
  async print(text) {
    this.progress('');
    try {
      await /** @type {Promise<void>} */ (
        new Promise((resolve, reject) => {
          this.#streams.stdout.write(text, (error) => (error ? reject(error) : resolve()));
        })
      );
    } catch (error) {
      /* A reader that has seen enough is no failure. */
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      throw code === 'EPIPE' ? error : reasonOf('cannot write the result', error);
    }
  }

  /** What is good to know beside the result.
   * @param {string} text */
  note(text) {
    if (this.quiet) return;
    this.progress('');
    this.#tell(`${text}\n`);
  }

  /** What went wrong: one line, whatever a file has put into it.
   * @param {string} text */
  complain(text) {
    this.progress('');
    this.#tell(`glassformer: ${text.replace(/\p{Cc}+/gu, ' ')}\n`);
  }

  /** One line that is written over again, where somebody watches; '' takes it away.
   * @param {string} text */
  progress(text) {
    const { isTTY, columns = WIDTH } = this.#streams.stderr;
    if (!isTTY || this.quiet || !(text || this.#progress)) return;
    this.#progress = text !== '';
    this.#tell(`\r\x1b[K${text.slice(0, columns - 1)}`);
  }

  /** A file's text, or for - that of the standard input.
   * @param {string} file */
  async text(file) {
    if (file !== '-') {
      return readFile(file, 'utf8').catch((error) => {
        throw reasonOf(`cannot read ${file}`, error);
      });
    }
    let text = '';
    for await (const part of this.#read()) text += part;
    return text;
  }

  /** The lines of the standard input, one by one as they come. */
  async *lines() {
    let rest = '';
    for await (const part of this.#read()) {
      const lines = (rest + part).split(/\r?\n/);
      rest = /** @type {string} */ (lines.pop());
      yield* lines;
    }
    if (rest) yield rest;
  }

  /** The standard input until the signal comes. */
  async *#read() {
    const { stdin, signal } = this.#streams;
    /** @type {Promise<never>} */
    const stopped = new Promise((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    stopped.catch(() => {});
    const decoder = new TextDecoder();
    const chunks = stdin[Symbol.asyncIterator]();
    signal?.throwIfAborted();
    for (;;) {
      const { done, value } = await Promise.race([chunks.next(), stopped]);
      yield decoder.decode(value, { stream: !done });
      if (done) return;
    }
  }

  /** @param {string} text */
  #tell(text) {
    this.#streams.stderr.write(text, () => {});
  }
}
