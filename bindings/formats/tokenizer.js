// The tokenizer that a checkpoint carries. It is the work of @huggingface/tokenizers, an optional peer
// that only this entry, glassformer/tokenizer, asks for.

import { Tokenizer } from '@huggingface/tokenizers';
import { checkBoolean, checkInteger, checkOptions, checkText } from '../base/errors.js';
import { withinTime } from './time-limit.js';
import { endsAmong } from './token-lists.js';
import { checkEncoded, checkTokenizer, checkTokenizerConfig, endsOf } from './tokenizer-file.js';
import { rangeError, typeError } from './tokenizer-texts.js';

/** Between text and the ids of a checkpoint's model.
 * @typedef {object} TextTokenizer
 * @property {(text: string, options?: { special?: boolean }) => number[]} encode with what the file puts around a text,
 *   unless special is false
 * @property {(ids: Iterable<number>) => string} decode special tokens left out
 * @property {(ids: Iterable<number>) => string[]} tokens each as the vocabulary has it, the special ones
 *   too; '' where it has none
 * @property {number | undefined} bos the token that begins a text, as tokenizer_config.json says
 * @property {number | undefined} eos the token that ends it
 * @property {readonly number[]} stops all tokens that end what a model writes
 * @property {string | null} chatTemplate of tokenizer_config.json, in Jinja: for `glassformer/chat` */

/** @param {string} where @param {unknown} given */
function checkIds(where, given) {
  if (typeof given !== 'object' || given === null || !(Symbol.iterator in given)) {
    throw typeError('ids', { where, given });
  }
  return Array.from(/** @type {Iterable<unknown>} */ (given), (id, i) =>
    checkInteger(`${where}: ids[${i}]`, id, 0, 2 ** 31 - 1),
  );
}

/** What every tokenizer.json has. */
const EMPTY = {
  model: { type: 'WordPiece', vocab: {}, unk_token: '', continuing_subword_prefix: '' },
  normalizer: null,
  pre_tokenizer: null,
  post_processor: null,
  decoder: null,
  added_tokens: [],
};

const TIMEOUT = 10_000;

/** Compiles a pattern as a tokenizer does.
 * @param {object} pattern */
function compile(pattern) {
  new Tokenizer({ ...EMPTY, normalizer: { type: 'Replace', pattern } }, {});
}

/** @param {Tokenizer} opened @param {string} text @param {boolean} special */
function encoded(opened, text, special) {
  try {
    return [...opened.encode(text, { add_special_tokens: special }).ids];
  } catch (error) {
    /* Of the engine: a stack or a string that can be no longer. */
    if (!(error instanceof RangeError)) throw error;
    const { length: n } = text;
    throw rangeError('shorterText', { where: 'encode', n, reason: error.message });
  }
}

/** Opens tokenizer.json, parsed, with what lies beside it: tokenizer_config.json, and generation_config.json, whose
 * `eos_token_id` lists the tokens that end a text. Reads BPE, WordPiece, Unigram and WordLevel. The file's own patterns run as regular expressions, and one that means harm can run
 * without end. Node ends it after the `timeout`; in a page, open a file of strangers in a worker, which can be ended.
 * @param {{ tokenizer: unknown, config?: unknown, generation?: unknown }} files
 * @param {{ timeout?: number }} [options] milliseconds that opening the files, or a call of what they give, may take: 10,000
 *   by default
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
export function openTokenizer(files, options = {}) {
  checkOptions('openTokenizer', files, ['tokenizer', 'config', 'generation']);
  checkOptions('openTokenizer', options, ['timeout']);
  const { config = {}, generation = {} } = files;
  const { timeout = TIMEOUT } = options;
  checkInteger('openTokenizer: timeout', timeout, 1, 2 ** 31 - 1);
  /** @template T @param {string} where @param {() => T} work */
  const inTime = (where, work) =>
    withinTime(timeout, work, () => {
      throw rangeError('patternTime', { where, milliseconds: timeout });
    });
  const tokenizer = checkTokenizer(files.tokenizer, compile);
  const { settings, special, begin, end, chatTemplate } = checkTokenizerConfig(config);
  const listed = endsOf('generation_config.json', generation);
  /* It looks for the unknown word of a WordLevel among the settings. */
  const opened = inTime(
    'openTokenizer',
    () => new Tokenizer(tokenizer, { ...settings, unk_token: tokenizer.model.unk_token }),
  );
  /** @param {number} id */
  const isShown = (id) => {
    const token = opened.id_to_token(id);
    return token !== undefined && !special.has(token);
  };
  /** @param {string | null} token */
  const idOf = (token) => (token === null ? undefined : opened.token_to_id(token));
  const added = new Set(
    Array.from(opened.get_added_tokens_decoder().values(), ({ content }) => content),
  );
  const eos = idOf(end);
  const ends = [...listed, eos, ...endsAmong((token) => added.has(token)).map(idOf)];
  return {
    bos: idOf(begin),
    eos,
    stops: [...new Set(ends.filter((id) => id !== undefined))],
    chatTemplate,
    encode(text, given = {}) {
      checkText('encode', text);
      checkOptions('encode', given, ['special']);
      const { special: around = true } = given;
      checkBoolean('encode: special', around);
      const ids = inTime('encode', () => encoded(opened, text, around));
      checkEncoded(ids, tokenizer.model.type);
      return ids;
    },
    decode(ids) {
      const list = checkIds('decode', ids).filter(isShown);
      if (!list.length) return '';
      return inTime('decode', () => opened.decode(list, { skip_special_tokens: true }));
    },
    tokens: (ids) => checkIds('tokens', ids).map((id) => opened.id_to_token(id) ?? ''),
  };
}
