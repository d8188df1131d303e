// What the functions on texts need of a tokenizer.

import { typeError } from './texts.js';

/** Between texts and ids: openCheckpoint and openTokenizer give such, and any object with these two functions is one.
 * @typedef {object} Tokenizer
 * @property {(text: string) => number[]} encode
 * @property {(ids: Iterable<number>) => string} decode
 * @property {readonly number[]} [stops] the tokens that end a text */

/** @param {string} where @param {unknown} tokenizer
 * @returns {asserts tokenizer is Tokenizer} */
export function checkTokenizer(where, tokenizer) {
  const { encode, decode } = Object(tokenizer);
  if (typeof encode === 'function' && typeof decode === 'function') return;
  throw typeError('tokenizer', { where, given: tokenizer });
}
