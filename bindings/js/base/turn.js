// Long work gives the event loop a turn now and then: a page goes on drawing, a signal gets through.

import { typeError } from './errors.js';

/** What a function gives that a signal may end: undefined is possible only where one was passed.
 * @template S, T
 * @typedef {S extends AbortSignal ? T | undefined : T} Signalled */

/** A generator that can only be read by for await: any other loop throws an error that says so.
 * @template T
 * @param {string} where @param {AsyncGenerator<T, void, undefined>} generator
 * @returns {AsyncGenerator<T, void, undefined>} */
export const forAwait = (where, generator) =>
  Object.assign(generator, {
    [Symbol.iterator]() {
      throw typeError('readByForAwait', { where });
    },
  });

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

/** Does a work that pauses, giving turns where it does; undefined once the signal came.
 * @template P, T
 * @param {Generator<P, T>} work @param {AbortSignal} [signal]
 * @param {(progress: P) => void} [onPause] receives what the work yields there
 * @param {() => Promise<void>} [turn] is awaited there; several works in a row share one
 * @returns {Promise<T | undefined>} */
export async function inTurns(work, signal, onPause, turn = turns()) {
  if (signal?.aborted) return undefined;
  try {
    for (;;) {
      const { done, value } = work.next();
      if (done) return value;
      onPause?.(value);
      await turn();
      if (signal?.aborted) return undefined;
    }
  } finally {
    work.return(/** @type {any} */ (undefined));
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
 * @returns {asserts signal is AbortSignal | undefined} */
export function checkSignal(where, signal) {
  if (signal === undefined || signal instanceof AbortSignal) return;
  throw typeError('signal', { where, given: signal });
}
