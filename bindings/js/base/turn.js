// Long work gives the event loop a turn now and then: a page goes on drawing, a signal gets through.

import { typeError } from './errors.js';

/** Parts that are made as `for await` asks for them; `await` makes them all. Nothing happens before one of the two. A signal
 * ends both as if there were no more parts.
 * @template T
 * @template [R=T[]] what await gives: the parts, unless it says otherwise
 * @typedef {AsyncGenerator<T, void, undefined> & PromiseLike<R>} Stream */

/** All parts of a generator.
 * @template T
 * @param {AsyncGenerator<T, void, undefined>} generator */
async function partsOf(generator) {
  const parts = [];
  for await (const part of generator) parts.push(part);
  return parts;
}

/** A generator as a stream: for await reads it, or await. Any other loop throws an error that says so.
 * @template T
 * @template [R=T[]]
 * @param {string} where @param {AsyncGenerator<T, void, undefined>} generator
 * @param {() => Promise<R>} [whole] reads it to its end
 * @returns {Stream<T, R>} */
export function streamOf(where, generator, whole = /** @type {any} */ (() => partsOf(generator))) {
  /** @type {Promise<R> | undefined} */
  let read;
  const awaitable = {
    // biome-ignore lint/suspicious/noThenProperty: whoever awaits a stream reads it
    then(/** @type {any} */ use, /** @type {any} */ fail) {
      read ??= whole();
      return read.then(use, fail);
    },
    [Symbol.iterator]() {
      throw typeError('readByForAwait', { where });
    },
  };
  return /** @type {any} */ (Object.assign(generator, awaitable));
}

/** Milliseconds without a turn: less than a frame. */
const BUDGET_MS = 10;

/** One turn of the event loop: other tasks run. A message comes at once, while timers in a page wait 4 ms or, in the
 * background, a second; Cloudflare Workers with a compatibility date before 2025-08-15 have timers alone. */
export async function turn() {
  if (typeof MessageChannel !== 'function') {
    await new Promise((resolve) => setTimeout(resolve, 0));
    return;
  }
  const { port1, port2 } = new MessageChannel();
  await new Promise((resolve) => {
    port1.onmessage = resolve;
    port2.postMessage(0);
  });
  port1.close();
}

/** A function to await between pieces of work; most calls do nothing. */
export function turns() {
  let last = performance.now();
  return async () => {
    if (performance.now() - last < BUDGET_MS) return;
    await turn();
    last = performance.now();
  };
}

/** Does a work that pauses, giving turns where it does. Throws the signal's reason once it came.
 * @template P, T
 * @param {Generator<P, T>} work @param {AbortSignal} [signal]
 * @param {(progress: P) => void} [onPause] receives what the work yields there
 * @param {() => Promise<void>} [turn] is awaited there; several works in a row share one
 * @returns {Promise<T>} */
export async function inTurns(work, signal, onPause, turn = turns()) {
  try {
    for (;;) {
      signal?.throwIfAborted();
      const { done, value } = work.next();
      if (done) return value;
      onPause?.(value);
      await turn();
    }
  } finally {
    work.return(/** @type {any} */ (undefined));
  }
}

/** The same for a stream, which ends with the signal: undefined once it came.
 * @template P, T
 * @param {Generator<P, T>} work @param {AbortSignal} [signal] @param {() => Promise<void>} [turn]
 * @returns {Promise<T | undefined>} */
export async function inTurnsUntil(work, signal, turn) {
  try {
    return await inTurns(work, signal, undefined, turn);
  } catch (error) {
    if (signal?.aborted && error === signal.reason) return undefined;
    throw error;
  }
}

/** Makes a work part of a larger one: its progress, 0 to 1, becomes from to from + share.
 * @template T
 * @param {Generator<number, T>} work @param {number} from @param {number} share
 * @returns {Generator<number, T>} */
export function* asPart(work, from, share) {
  try {
    for (;;) {
      const { done, value } = work.next();
      if (done) return value;
      yield from + share * value;
    }
  } finally {
    work.return(/** @type {any} */ (undefined));
  }
}

/** Does the same work without a pause.
 * @template T
 * @param {Generator<unknown, T>} work */
export function atOnce(work) {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** @param {string} where @param {unknown} signal
 * @returns {asserts signal is AbortSignal | null | undefined} */
export function checkSignal(where, signal) {
  if (signal === undefined || signal === null || signal instanceof AbortSignal) return;
  throw typeError('signal', { where, given: signal });
}
