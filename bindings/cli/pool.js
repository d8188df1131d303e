// A pool of workers that run one program over many rows: results in the order of the rows, no more rows in memory
// than the workers are busy with, and a worker that dies takes nothing with it.

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { Failure } from './usage.js';

/** Rows that wait in each worker, so that none is idle while a result travels. */
const AHEAD = 16;
/** How often a row is tried whose worker dies. */
const TRIES = 2;

/** What became of a row. @typedef {{ text: string } | { error: string }} Outcome */
/** @typedef {{ line: number, text: string, tries: number, outcome?: Outcome }} Row */
/** A worker, and the rows that it was given, in their order. @typedef {{ worker: Worker, rows: Row[], ready: boolean }} Hand */

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
  #ended = false;

  /** @param {string} program the address of a module @param {number} size
   * @param {{ say: (text: string) => void, signal?: AbortSignal }} streams say: what the program prints */
  constructor(program, size, { say, signal }) {
    this.#program = program;
    this.#say = say;
    signal?.addEventListener('abort', () => this.#break(signal.reason), { once: true });
    for (let i = 0; i < size; i++) this.#hire();
  }

  /** The outcomes of all rows, in their order, all at once that are known. Reads no further ahead than the workers
   * have room for.
   * @param {AsyncIterable<{ line: number, text: string }>} rows
   * @returns {AsyncGenerator<{ line: number, outcome: Outcome }[], void, undefined>} */
  async *map(rows) {
    /** @type {Row[]} those that are not given out yet, oldest first */
    const waiting = [];
    const most = this.#hands.length * AHEAD;
    const known = async () => {
      while (!waiting[0].outcome && !this.#broken) await this.#changed();
      if (this.#broken) throw this.#broken;
      const open = waiting.findIndex(({ outcome }) => !outcome);
      const done = waiting.splice(0, open < 0 ? waiting.length : open);
      return /** @type {(Row & { outcome: Outcome })[]} */ (done);
    };
    for await (const { line, text } of rows) {
      /** @type {Row} */
      const row = { line, text, tries: 0 };
      waiting.push(row);
      this.#give(row);
      if (waiting[0].outcome || waiting.length >= most) yield known();
    }
    while (waiting.length) yield known();
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
    hand.worker.postMessage(row.text);
  }

  #hire() {
    const worker = new Worker(new URL('pool-worker.js', import.meta.url), {
      workerData: this.#program,
      stdout: true,
    });
    /** @type {Hand} */
    const hand = { worker, rows: [], ready: false };
    let reason = '';
    worker.stdout.setEncoding('utf8').on('data', this.#say);
    worker.on('message', (/** @type {Outcome | { ready: true } | { wrong: string }} */ said) => {
      if ('wrong' in said) this.#break(new Failure(said.wrong));
      else if ('ready' in said) hand.ready = true;
      else Object.assign(/** @type {Row} */ (hand.rows.shift()), { outcome: said });
      this.#wake();
    });
    worker.on('error', (error) => {
      reason = error?.message ?? String(error);
    });
    worker.on('exit', (code) => {
      reason ||= `the worker ended with status ${code}`;
      if (hand.ready) this.#replace(hand, reason);
      else this.#break(new Failure(`the program does not load: ${reason}`));
    });
    this.#hands.push(hand);
  }

  /** The row that a dead worker was at is tried again, alone in what it is blamed for: those behind it were not begun.
   * @param {Hand} hand @param {string} reason */
  #replace(hand, reason) {
    if (this.#ended || this.#broken) return;
    this.#hands.splice(this.#hands.indexOf(hand), 1);
    this.#hire();
    const [at] = hand.rows;
    if (at) {
      at.tries += 1;
      if (at.tries === TRIES) at.outcome = { error: reason };
    }
    for (const row of hand.rows) if (!row.outcome) this.#give(row);
    this.#wake();
  }
}
