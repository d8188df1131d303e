// What the functions on texts need of a tokenizer.

import { checkText } from '../../js/base/errors.js';
import { isList } from '../../js/base/values.js';
import { rangeError, typeError } from './texts.js';

/** @typedef {import('../../js/model/model.js').Tokenizer} Tokenizer */

/** @param {string} where @param {unknown} tokenizer
 * @returns {asserts tokenizer is Tokenizer} */
export function checkTokenizer(where, tokenizer) {
  const { encode, decode } = Object(tokenizer);
  if (typeof encode === 'function' && typeof decode === 'function') return;
  throw typeError('tokenizer', { where, given: tokenizer });
}

/** What a tokenizer made of a text.
 * @template {ArrayLike<number>} I
 * @param {I} ids
 * @returns {I} */
export function checkEncoded(ids) {
  if (isList(ids)) return ids;
  throw typeError('ids', { where: 'tokenizer: encode', given: ids });
}

/** The ids of a text, or those that are given.
 * @param {string} where @param {Tokenizer} tokenizer @param {unknown} input
 * @returns {ArrayLike<number>} */
export function idsOf(where, tokenizer, input) {
  const ids = typeof input === 'string' ? checkEncoded(tokenizer.encode(input)) : input;
  if (!isList(ids)) throw typeError('textOrIds', { where, given: input });
  if (typeof ids[0] === 'string') throw typeError('oneText', { where, given: input });
  if ('role' in Object(ids[0])) throw typeError('messagesHere', { where, given: input });
  if (ids.length) return /** @type {ArrayLike<number>} */ (ids);
  throw rangeError('textEmpty', { where, given: input });
}

/** The text of ids.
 * @param {import('./writer.js').Decoder} tokenizer @param {Iterable<number>} ids */
export const textOf = (tokenizer, ids) => checkText('tokenizer: decode', tokenizer.decode(ids));
