// Streams of what is written, read part by part or as a whole.

import { forAwait } from '../../js/base/turn.js';

/** What was written before the first token.
 * @returns {import('./generate.js').Generated} */
export const unwritten = () => ({
  tokens: [],
  text: '',
  kept: 0,
  guessed: 0,
  ended: null,
  seed: null,
});

/** @template T
 * @param {string} where @param {AsyncGenerator<T, void, undefined>} generator
 * @param {import('./generate.js').Generated} result which grows with it
 * @returns {import('./generate.js').GenerationStream<T>} */
export const withWhole = (where, generator, result) =>
  Object.assign(forAwait(where, generator), {
    result,
    async whole() {
      for await (const _ of generator);
      return result;
    },
  });
