// A pool of workers that run one program over many rows: results in the order of the rows, no more rows in memory
// than the workers are busy with, and a worker that dies takes nothing with it.

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { Failure } from './usage.js';

/** Rows that wait in each worker, so that none is idle while a result travels. */
const QUEUED_PER_WORKER = 16;
/** How often a row is tried whose worker dies. */
const MAX_TRIES = 2;
/** Milliseconds that the program may go on after its last row. */
const GRACE_MS = 1000;
/** The status of a thread that still awaits something while nothing is left that could happen. */
const UNSETTLED = 13;

/** What a worker says: how a row went, that the program is loaded or does not load, or for which row it ends.
 * @typedef {Outcome | { ready: true } | { wrong: string } | { line: number | undefined }} Said */
/** What became of a row. @typedef {{ text: string } | { error: string }} Outcome */
/** A row, or what is wrong with it. @typedef {{ line: number } & Outcome} Given */
/** @typedef {{ line: number, text: string, tries: number, outcome?: Outcome }} Row */
/** A worker, and the rows that it was given, in their order.
 * @typedef {object} Hand
 * @property {Worker} worker
 * @property {Row[]} rows
 * @property {boolean} ready
 * @property {number} [line] of the row whose code ended the worker
 * @property {Promise<void>} gone resolves when the worker has ended */

export const CORES = availableParallelism();

export class Pool {
  /** @type {Hand[]} */
  #hands = [];
  #program;
  /** Called when something has changed. */
  #wake = () => {};
  /** Why nothing can go on: the program itself is wrong, or somebody stopped it.
   * @type {Error | null} */
  #broken = null;
  #say;
  #late;
  /** No row comes any more. */
  #finished = false;
  #ended = false;

  /** @param {string} program the address of a module @param {number} size
   * @param {object} streams
   * @param {(text: string) => void} streams.say what the program prints
   * @param {(line: number | undefined, error: string) => void} streams.late errors of rows that have their results
   * @param {AbortSignal} [streams.signal] */
  constructor(program, size, { say, late, signal }) {
    this.#program = program;
    this.#say = say;
    this.#late = late;
    signal?.addEventListener('abort', () => this.#break(signal.reason), { once: true });
    for (let i = 0; i < size; i++) this.#hire();
  }

  /** The outcomes of all rows, in their order, all at once that are known. Reads no further ahead than the workers
   * have room for.
   * @param {AsyncIterable<Given>} rows
   * @returns {AsyncGenerator<{ line: number, outcome: Outcome }[], void, undefined>} */
  async *map(rows) {
    /** @type {Row[]} those that are not given out yet, oldest first */
    const waiting = [];
    const most = this.#hands.length * QUEUED_PER_WORKER;
    const settled = async () => {
      while (!waiting[0].outcome && !this.#broken) await this.#changed();
      if (this.#broken) throw this.#broken;
      const open = waiting.findIndex(({ outcome }) => !outcome);
      const done = waiting.splice(0, open < 0 ? waiting.length : open);
      return /** @type {(Row & { outcome: Outcome })[]} */ (done);
    };
    for await (const read of rows) {
      const { line } = read;
      /** @type {Row} */
      const row =
        'error' in read
          ? { line, text: '', tries: 0, outcome: { error: read.error } }
          : { line, text: read.text, tries: 0 };
      waiting.push(row);
      if (!row.outcome) this.#give(row);
      if (waiting[0].outcome || waiting.length >= most) yield settled();
    }
    while (waiting.length) yield settled();
  }

  /** Lets the workers end by themselves, for a while: what the program still waits for may fail. */
  async finish() {
    this.#finished = true;
    for (const { worker } of this.#hands) worker.postMessage(null);
    const gone = Promise.all(this.#hands.map(({ gone }) => gone));
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    const grace = new Promise((resolve) => {
      timer = setTimeout(resolve, GRACE_MS);
    });
    const broken = (async () => {
      while (!this.#broken) await this.#changed();
    })();
    await Promise.race([gone, grace, broken]);
    clearTimeout(timer);
    if (this.#broken) throw this.#broken;
  }

  async end() {
    this.#ended = true;
    await Promise.all(this.#hands.map(({ worker }) => worker.terminate()));
  }

  /** @param {Error} error */
  #break(error) {
    this.#broken ??= error;
    this.#wake();
  }

  #changed() {
    return /** @type {Promise<void>} */ (
      new Promise((resolve) => {
        this.#wake = resolve;
      })
    );
  }

  /** To whoever has least to do. @param {Row} row */
  #give(row) {
    const hand = this.#hands.reduce((a, b) => (b.rows.length < a.rows.length ? b : a));
    hand.rows.push(row);
    hand.worker.postMessage({ line: row.line, text: row.text });
  }

  #hire() {
    const worker = new Worker(new URL('pool-worker.js', import.meta.url), {
      workerData: this.#program,
      stdout: true,
    });
    const gone = /** @type {Promise<void>} */ (
      new Promise((resolve) => worker.once('exit', () => resolve()))
    );
    /** @type {Hand} */
    const hand = { worker, rows: [], ready: false, gone };
    let reason = '';
    worker.stdout.setEncoding('utf8').on('data', this.#say);
    worker.on('message', (/** @type {Said} */ said) => {
      if ('wrong' in said) this.#break(new Failure(said.wrong));
      else if ('ready' in said) hand.ready = true;
      else if ('line' in said) hand.line = said.line;
      else Object.assign(/** @type {Row} */ (hand.rows.shift()), { outcome: said });
      this.#wake();
    });
    worker.on('error', (error) => {
      reason = error?.message ?? String(error);
    });
    worker.on('exit', (code) => {
      if (this.#finished && code === 0) return;
      reason ||=
        code === UNSETTLED ? 'it awaits what never comes' : `the worker ended with status ${code}`;
      if (hand.ready) this.#replace(hand, reason);
      else this.#break(new Failure(`the program does not load: ${reason}`));
    });
    this.#hands.push(hand);
  }

  /** The row whose code ended a worker is to blame. If it has no result yet, it is tried again, alone in what it is blamed
   * for: those behind it were not begun.
   * @param {Hand} hand @param {string} reason */
  #replace(hand, reason) {
    if (this.#ended || this.#broken) return;
    const [row] = hand.rows;
    const isLate = !row || (hand.line !== undefined && hand.line !== row.line);
    if (isLate) this.#late(hand.line, reason);
    else {
      row.tries += 1;
      if (row.tries === MAX_TRIES) row.outcome = { error: reason };
    }
    if (this.#finished) return;
    this.#hands.splice(this.#hands.indexOf(hand), 1);
    this.#hire();
    for (const row of hand.rows) if (!row.outcome) this.#give(row);
    this.#wake();
  }
}
