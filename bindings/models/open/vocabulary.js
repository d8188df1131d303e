// The tokenizer of a model of ours: a vocabulary of words, or of characters, in the metadata of its file.

import { checkBoolean, checkOptions, checkText } from '../../js/base/errors.js';
import { parse } from '../../js/base/file.js';
import { isObject } from '../../js/base/values.js';
import { checkTokens } from '../../js/model/file.js';
import { refusing as refusingTokens } from '../../js/model/texts.js';
import { checkIds } from '../formats/token-lists.js';
import { rangeError, refusing } from './texts.js';

/** @typedef {import('../formats/token-lists.js').ListedTokenizer} ListedTokenizer */

/** @typedef {import('../../js/model/file.js').SavedVocabulary} SavedVocabulary */

/** The key of a file's metadata. */
export const VOCABULARY = 'vocabulary';

/** Words with their apostrophes, and signs. */
const PIECES = /[\p{L}\p{N}']+|[^\s\p{L}\p{N}']/gu;
const ELIDED = /^[\p{L}\p{N}]+'(?=.)/u;
const CLOSING = /^[.,:;?!]$/;

/** Signs that printers have several of. @param {string} text */
const plain = (text) =>
  text
    .normalize('NFC')
    .replace(/[“”«»„]/g, '"')
    .replaceAll('’', "'");

/** @param {string} text @param {(piece: string) => string | undefined} tokenOf @returns {string[]} those that no token has, too */
function wordsOf(text, tokenOf) {
  return (plain(text).match(PIECES) ?? []).flatMap((piece) => {
    /** @type {string | undefined} */
    const token = tokenOf(piece);
    if (token !== undefined) return [token];
    const [elided] = ELIDED.exec(piece) ?? [];
    const first = elided && tokenOf(elided);
    if (!first) return [piece];
    return [first, ...wordsOf(piece.slice(elided.length), tokenOf)];
  });
}

/** Words as a text: no space before a sign that closes, behind an apostrophe, or within quotes.
 * @param {readonly string[]} words */
function textOf(words) {
  let text = '';
  let isOpen = false;
  let isGlued = true;
  for (const word of words) {
    const isQuote = word === '"';
    text += isGlued || (isOpen && isQuote) || CLOSING.test(word) ? word : ` ${word}`;
    if (isQuote) isOpen = !isOpen;
    isGlued = (isOpen && isQuote) || /.'$/.test(word);
  }
  return text;
}

/** @param {string} text what the file says @param {{ vocab: number }} config of its model
 * @returns {SavedVocabulary} */
export function vocabularyIn(text, { vocab }) {
  /** @type {import('./texts.js').Refuse} */
  const refuse = refusing(VOCABULARY);
  const value = parse(VOCABULARY, text);
  if (!isObject(value)) return refuse('object', { given: value });
  const { split } = value;
  if (split !== 'words' && split !== 'characters') {
    refuse('word', { where: 'split', words: 'words, characters', given: split });
  }
  const read = /** @type {SavedVocabulary} */ (/** @type {unknown} */ (value));
  checkTokens(refusingTokens(VOCABULARY), read, vocab);
  return read;
}

/** @param {SavedVocabulary} vocabulary checked @param {{ kind: string }} config of its model
 * @returns {ListedTokenizer} */
export function vocabularyTokenizer({ split, tokens, start, end, pad, unknown }, { kind }) {
  const ids = new Map(tokens.map((token, id) => [token.normalize('NFC'), id]));
  const idOf = (/** @type {string | undefined} */ token) => ids.get(String(token));
  const special = new Set([start, end, pad, unknown]);
  /** @param {string} piece @returns {string | undefined} */
  const tokenOf = (piece) =>
    [piece, piece.toLowerCase(), piece.toUpperCase()].find((form) => ids.has(form));
  /** @param {string} piece @returns {number[]} */
  const idsOf = (piece) => {
    const id = idOf(tokenOf(piece)) ?? idOf(unknown);
    /* A sign that no token has says nothing to this model. */
    if (split === 'words' && !/[\p{L}\p{N}]/u.test(piece) && !tokenOf(piece)) return [];
    if (id === undefined) throw rangeError('wordUnknown', { where: 'encode', given: piece });
    return [id];
  };
  return {
    bos: idOf(start),
    eos: idOf(end),
    stops: end === undefined ? [] : [Number(idOf(end))],
    unknown: idOf(unknown),
    encode(text, options = {}) {
      checkText('encode', text);
      checkOptions('encode', options, ['special']);
      const { special: around = true } = options;
      checkBoolean('encode: special', around);
      const pieces = split === 'words' ? wordsOf(text, tokenOf) : [...plain(text)];
      const begin = idOf(start);
      return [
        ...(around && kind === 'gpt' && begin !== undefined ? [begin] : []),
        ...pieces.flatMap(idsOf),
      ];
    },
    decode(tokenIds) {
      const shown = checkIds('decode', tokenIds)
        .map((id) => tokens[id])
        .filter((token) => token !== undefined && !special.has(token));
      return split === 'words' ? textOf(shown) : shown.join('');
    },
    tokens: (tokenIds) => checkIds('tokens', tokenIds).map((id) => tokens[id] ?? ''),
  };
}
