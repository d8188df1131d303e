// The streams of one run: what is read from them, and how things are told on them.

import { createReadStream } from 'node:fs';
import { asUtf8, textOf } from './encoding.js';
import { linesOf } from './lines.js';
import { Failure, reasonOf, sourceOf } from './usage.js';

/** Where a run writes: a stream of Node's, or anything alike.
 * @typedef {object} Output
 * @property {(text: string, done: (error?: Error | null) => void) => unknown} write calls done when the text is taken, or with
 *   the reason why not
 * @property {boolean} [isTTY] somebody watches: a line may be written over
 * @property {number} [columns] of the terminal
 * @property {() => boolean} [hasColors] Node's heeds NO_COLOR
 */
/**
 * @typedef {object} Streams
 * @property {AsyncIterable<Uint8Array>} stdin what a command reads where `-` stands for a file
 * @property {Output} stdout
 * @property {Output} stderr
 * @property {AbortSignal} [signal] ends the run: Ctrl+C
 */
/** How text looks: the columns it may take, and its inks.
 * @typedef {object} Look
 * @property {number} width in columns
 * @property {(text: string) => string} bold names
 * @property {(text: string) => string} dim what is less important
 * @property {(text: string) => string} red what is wrong
 */

/** Of a file, a pipe, and a terminal that does not tell. */
const WIDTH = 80;

/** Bytes of a file that is read whole: some files have no end. */
const MAX_FILE = 2 ** 26;

/** Bytes of a text that a model reads: more than the longest context holds. */
export const MAX_TEXT = 2 ** 22;

/** Characters of an error: a file may have a key of a million letters, which an error names. */
const MAX_ERROR = 2000;

/** The code that begins an ink, and the one that ends it. */
const INK_CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39] };

/** What steers a terminal, or turns the order of letters: a file may have put it into a name, a token or a text. */
const CONTROL_CHARACTERS =
  /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** A text with all of this shown in place of done.
 * @param {string} text */
const harmless = (text) =>
  text.replaceAll('\r\n', '\n').replace(CONTROL_CHARACTERS, (sign) => {
    const code = Number(sign.codePointAt(0));
    const shown = `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : shown;
  });

export class Terminal {
  #streams;
  #progress = false;
  /** Stands for the escape character of an ink until the text is written: no file can know it. */
  #inkMark = `<${crypto.randomUUID()}>`;
  /** Nothing but the result. */
  quiet = false;

  /** @param {Streams} streams */
  constructor(streams) {
    this.#streams = streams;
  }

  /** The signal of the streams, which ends the run. */
  get signal() {
    return this.#streams.signal;
  }

  /** How text looks on the terminal: without colours where it shows none.
   * @returns {Look} */
  get look() {
    const { stdout } = this.#streams;
    const coloured = stdout.hasColors?.();
    const ink = (/** @type {keyof typeof INK_CODES} */ name) => (/** @type {string} */ text) =>
      coloured && text
        ? `${this.#inkMark}[${INK_CODES[name][0]}m${text}${this.#inkMark}[${INK_CODES[name][1]}m`
        : text;
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
          const { stdout } = this.#streams;
          const shown = stdout.isTTY ? harmless(text) : text;
          stdout.write(shown.replaceAll(this.#inkMark, '\x1b'), (error) =>
            error ? reject(error) : resolve(),
          );
        })
      );
    } catch (error) {
      /* A reader that has seen enough needs no sentence. */
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      throw code === 'EPIPE' ? error : reasonOf('cannot write the result', error);
    }
  }

  /** What is good to know beside the result.
   * @param {string} text */
  note(text) {
    if (this.quiet) return;
    this.progress('');
    this.#tell(`${this.#streams.stderr.isTTY ? harmless(text) : text}\n`);
  }

  /** Shows that a line is awaited, where somebody types.
   * @param {string} sign */
  prompt(sign) {
    const { stdin } = this.#streams;
    if (/** @type {{ isTTY?: boolean }} */ (stdin).isTTY && !this.quiet) this.#tell(sign);
  }

  /** Whether whoever sits at the terminal agrees; where nobody does, nobody is asked.
   * @param {string} question */
  async agrees(question) {
    const { stdin, stderr } = this.#streams;
    if (!(/** @type {{ isTTY?: boolean }} */ (stdin).isTTY)) return true;
    stderr.write(`${harmless(question)} `, () => {});
    let answer = '';
    for await (const part of stdin) {
      answer += Buffer.from(part).toString();
      if (answer.includes('\n')) break;
    }
    return /^\s*[yjo]/i.test(answer);
  }

  /** What went wrong: one line of a bounded length, whatever a file has put into it.
   * @param {string} text */
  complain(text) {
    this.progress('');
    const cut = text.length > MAX_ERROR ? `${text.slice(0, MAX_ERROR)}…` : text;
    this.#tell(`glassformer: ${harmless(cut.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '))}\n`);
  }

  /** One line that is written over again, where somebody watches; '' takes it away.
   * @param {string} text */
  progress(text) {
    const { isTTY, columns = WIDTH } = this.#streams.stderr;
    if (!isTTY || this.quiet || !(text || this.#progress)) return;
    this.#progress = text !== '';
    this.#tell(`\r\x1b[K${harmless(text.replace(/\p{Cc}+/gu, ' ')).slice(0, columns - 1)}`);
  }

  /** A file's text, or for - that of the standard input.
   * @param {string} file @param {number} [limit] in bytes */
  async text(file, limit) {
    return textOf(file, await this.bytes(file, limit));
  }

  /** A file's bytes, or for - those of the standard input.
   * @param {string} file @param {number} [limit]
   * @returns {Promise<Uint8Array>} */
  async bytes(file, limit = MAX_FILE) {
    const isInput = file === '-';
    /** @type {Uint8Array[]} */
    const parts = [];
    let bytes = 0;
    try {
      for await (const part of this.#read(isInput ? this.#streams.stdin : createReadStream(file))) {
        bytes += part.length;
        if (bytes > limit) break;
        /* A copy: the stream may write over its chunk. */
        parts.push(part.slice());
      }
    } catch (error) {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      throw code ? reasonOf(`cannot read ${sourceOf(file)}`, error) : error;
    }
    if (bytes > limit) {
      throw new Failure(`${sourceOf(file)}: more than ${limit} bytes`);
    }
    return Buffer.concat(parts);
  }

  /** The lines of the standard input, or of a file, one by one as they come.
   * @param {string} [file] @param {Parameters<typeof linesOf>[1]} [options] */
  async *lines(file = '-', options = {}) {
    const { stdin } = this.#streams;
    try {
      const stream = this.#read(file === '-' ? stdin : createReadStream(file));
      yield* linesOf(asUtf8(file, stream), options);
    } catch (error) {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      const wrong = typeof code === 'string';
      throw wrong ? reasonOf(`cannot read ${sourceOf(file)}`, error) : error;
    }
  }

  /** The chunks of a stream until the signal comes.
   * @param {AsyncIterable<Uint8Array>} stream */
  async *#read(stream) {
    const { signal } = this.#streams;
    const chunks = stream[Symbol.asyncIterator]();
    for (;;) {
      signal?.throwIfAborted();
      /* Each wait takes its listener away again: a promise that all of them shared would keep every chunk. */
      const { done, value } = await /** @type {Promise<IteratorResult<Uint8Array>>} */ (
        new Promise((resolve, reject) => {
          const stop = () => reject(signal?.reason);
          signal?.addEventListener('abort', stop, { once: true });
          const free = () => signal?.removeEventListener('abort', stop);
          chunks.next().then(resolve, reject).finally(free);
        })
      );
      if (done) return;
      yield value;
    }
  }

  /** @param {string} text */
  #tell(text) {
    this.#streams.stderr.write(text, () => {});
  }
}
