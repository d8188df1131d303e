// Streams of what is written, read part by part or as a whole.

import { streamOf } from '../../js/base/turn.js';
import { failure, typeError } from './texts.js';

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
export function withWhole(where, generator, result) {
  async function whole() {
    for await (const _ of generator);
    /* As habits of other libraries have it: for await (const part of await stream). */
    const value = () => {
      throw typeError('whole', { where });
    };
    return Object.defineProperty(result, Symbol.asyncIterator, { value, configurable: true });
  }
  const stream = Object.assign(streamOf(where, generator, whole), { result, whole });
  /* What looks for the text of an answer finds out how to wait for it. */
  const get = () => {
    throw failure('GF_ESTATE', 'textAwaited', { where });
  };
  return Object.defineProperty(stream, 'text', { get });
}
