// Answers of a worker that come in parts, as streams.

import { unwritten, withWhole } from '../text/stream.js';

/** @typedef {import('../text/index.js').ChosenToken} ChosenToken */
/** @typedef {import('../text/index.js').Generated} Generated */
/**
 * @template T
 * @typedef {import('../text/index.js').GenerationStream<T>} GenerationStream */

/** Those of `generateTokens`, but for functions, which cannot be sent: for `hooks` and `process` open the model here.
 * @typedef {Omit<import('../text/index.js').TokenOptions, 'hooks' | 'process'>} WorkerTokenOptions */
/** Those of `generateText`, likewise.
 * @typedef {Omit<import('../text/index.js').TextOptions, 'hooks' | 'process'>} WorkerTextOptions */

/** Further inputs of a call. onPart: receives each part, with the tokens that came with it; more() asks for the next;
 * stop: ends the work as the signal of the options does.
 * @typedef {object} Besides
 * @property {(part: unknown, tokens: ChosenToken[] | undefined, more: () => void) => void} [onPart]
 * @property {AsyncIterator<unknown> | Iterator<unknown>} [batches]
 * @property {AbortSignal} [stop] */

/** Parts, each made when it is asked for. Whoever leaves the loop ends the work.
 * @template T
 * @param {(besides: Besides) => Promise<unknown>} ask
 * @param {(part: T, tokens: ChosenToken[] | undefined) => void} [onPart] @param {(answer: unknown) => void} [onEnd]
 * @returns {AsyncGenerator<T, void, undefined>} */
export async function* partsOf(ask, onPart, onEnd) {
  /** @type {{ part: T, tokens: ChosenToken[] | undefined, more: () => void }[]} one at most */
  const come = [];
  const left = new AbortController();
  let wake = () => {};
  let isDone = false;
  const end = ask({
    stop: left.signal,
    onPart: (part, tokens, more) => {
      come.push({ part: /** @type {T} */ (part), tokens, more });
      wake();
    },
  }).finally(() => {
    isDone = true;
    wake();
  });
  /* What it is rejected with is thrown below. */
  end.catch(() => {});
  try {
    for (;;) {
      if (!come.length && !isDone) {
        await new Promise((resolve) => {
          wake = () => resolve(undefined);
        });
      }
      const next = come.shift();
      if (!next) break;
      const { part, tokens, more } = next;
      onPart?.(part, tokens);
      yield part;
      more();
    }
    const answer = await end;
    onEnd?.(answer);
  } finally {
    left.abort();
  }
}

/** A stream of a generation, with its result.
 * @template T
 * @param {string} where @param {(besides: Besides) => Promise<unknown>} ask
 * @returns {GenerationStream<T>} */
export function generation(where, ask) {
  const result = unwritten();
  const parts = partsOf(
    ask,
    (/** @type {T} */ part, tokens = []) => {
      result.tokens.push(...tokens);
      if (typeof part === 'string') result.text += part;
    },
    (answer) => Object.assign(result, /** @type {Generated} */ (answer)),
  );
  return withWhole(where, parts, result);
}
