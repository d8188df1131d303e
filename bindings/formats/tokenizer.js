// The tokenizer that a checkpoint carries. It is the work of @huggingface/tokenizers, an optional peer
// that only this entry, glassformer/tokenizer, asks for.

import { Tokenizer } from '@huggingface/tokenizers';
import { checkInteger, checkOptions, checkText, failure, typeError } from '../base/errors.js';

/** Between text and the ids of a checkpoint's model.
 * @typedef {object} TextTokenizer
 * @property {(text: string) => number[]} encode special tokens included
 * @property {(ids: Iterable<number>) => string} decode special tokens left out
 * @property {(ids: Iterable<number>) => string[]} tokens each as the vocabulary has it, the special ones
 *   too; '' where it has none */

/** @param {string} where @param {unknown} given */
function checkIds(where, given) {
  if (typeof given !== 'object' || given === null || !(Symbol.iterator in given)) {
    throw typeError('ids', { where, given });
  }
  return Array.from(/** @type {Iterable<unknown>} */ (given), (id, i) =>
    checkInteger(`${where}: ids[${i}]`, id, 0, 2 ** 31 - 1),
  );
}

/** Opens tokenizer.json, parsed, with tokenizer_config.json beside it if there is one. Reads BPE,
 * WordPiece and Unigram.
 * @param {{ tokenizer: unknown, config?: unknown }} files
 * @returns {TextTokenizer}
 * @example
 * import { openTokenizer } from 'glassformer/tokenizer';
 *
 * const tokenizer = openTokenizer({
 *   tokenizer: {
 *     model: {
 *       type: 'WordPiece',
 *       vocab: { '[UNK]': 0, glass: 1, '##es': 2 },
 *       unk_token: '[UNK]',
 *       continuing_subword_prefix: '##',
 *       max_input_chars_per_word: 100,
 *     },
 *     pre_tokenizer: { type: 'Whitespace' },
 *     normalizer: null,
 *     post_processor: null,
 *     decoder: { type: 'WordPiece' },
 *     added_tokens: [],
 *   },
 * });
 * tokenizer.encode('glasses'); // = [1, 2] */
export function openTokenizer(files) {
  checkOptions('openTokenizer', files, ['tokenizer', 'config']);
  const { tokenizer, config = {} } = files;
  if (typeof tokenizer !== 'object' || tokenizer === null || !('model' in tokenizer)) {
    const told = { where: 'openTokenizer', given: tokenizer };
    throw failure('GF_EFILE', 'tokenizerFile', told);
  }
  if (typeof config !== 'object' || config === null || Array.isArray(config)) {
    throw typeError('object', { where: 'openTokenizer: config', given: config });
  }
  const opened = new Tokenizer(tokenizer, /** @type {object} */ (config));
  return {
    encode: (text) => [...opened.encode(checkText('encode', text)).ids],
    decode(ids) {
      const list = checkIds('decode', ids);
      return list.length ? opened.decode(list, { skip_special_tokens: true }) : '';
    },
    tokens: (ids) => checkIds('tokens', ids).map((id) => opened.id_to_token(id) ?? ''),
  };
}
