// The tokenizer that a checkpoint carries as tokenizer.json: what `tokenizers` of Hugging Face computes. Its patterns are
// translated by @huggingface/tokenizers, an optional peer that only this entry, glassformer/tokenizer, asks for.

import { checkBoolean, checkInteger, checkOptions, checkText } from '../../js/base/errors.js';
import { withinTime } from './time-limit.js';
import { checkIds, endsAmong } from './token-lists.js';
import { addedTokens } from './tokenizer-added.js';
import { checkTokenizerConfig } from './tokenizer-config.js';
import { cleaned, decoderOf } from './tokenizer-decoders.js';
import { endsOf } from './tokenizer-ends.js';
import { checkEncoded, checkTokenizer } from './tokenizer-file.js';
import { modelOf } from './tokenizer-models.js';
import { compiled } from './tokenizer-pattern.js';
import { inRoom, takeRoom } from './tokenizer-room.js';
import { normalizerOf, preTokenizerOf } from './tokenizer-steps.js';
import { rangeError } from './tokenizer-texts.js';

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

const TIMEOUT_MS = 10_000;

/** What stands around the ids of a text.
 * @param {any} part a post-processor @param {number[]} ids @param {(token: string) => number | undefined} idOf
 * @returns {(number | undefined)[]} */
function around(part, ids, idOf) {
  switch (part?.type) {
    case 'Sequence':
      return part.processors.reduce(
        (/** @type {number[]} */ now, /** @type {any} */ one) => around(one, now, idOf),
        ids,
      );
    case 'TemplateProcessing':
      return part.single.flatMap((/** @type {any} */ { SpecialToken: special }) => {
        takeRoom(special ? 1 : ids.length);
        return special ? [idOf(special.id)] : ids;
      });
    case 'BertProcessing':
    case 'RobertaProcessing':
      return [part.cls[1], ...ids, part.sep[1]];
    default:
      return ids;
  }
}

/** What is read of a file that was checked.
 * @param {ReturnType<typeof checkTokenizer>} tokenizer */
function opened(tokenizer) {
  const { vocab } = /** @type {any} */ (tokenizer.model);
  const list = /** @type {any[]} */ (tokenizer.added_tokens);
  const normalize = normalizerOf(tokenizer.normalizer);
  const cut = preTokenizerOf(tokenizer.pre_tokenizer);
  const model = modelOf(tokenizer.model);
  const sections = addedTokens(list, normalize);
  /** @type {[string, number][]} */
  const vocabulary = Array.isArray(vocab)
    ? vocab.map(([piece], id) => [piece, id])
    : Object.entries(vocab);
  /** @type {[string, number][]} */
  const more = list.map(({ content, id }) => [content, id]);
  const ids = new Map([...vocabulary, ...more]);
  return {
    ids,
    tokens: new Map(Array.from(ids, ([token, id]) => [id, token])),
    decoder: decoderOf(tokenizer.decoder),
    /** @param {string} text
     * @returns {number[]} */
    encode: (text) =>
      sections(text).flatMap(({ id, text: part, isFirst }) =>
        id === undefined
          ? cut([{ text: part, isFirst }]).flatMap(({ text: word }) => (word ? model(word) : []))
          : [id],
      ),
  };
}

/** The replacement character stands for halves of a character that stand alone, as in UTF-8.
 * @param {string} text */
const wellFormed = (text) => text.replace(/\p{Surrogate}/gu, '\ufffd');

/** Opens tokenizer.json, parsed, with what lies beside it: tokenizer_config.json, and generation_config.json, whose
 * `eos_token_id` lists the tokens that end a text. Reads BPE, WordPiece, Unigram and WordLevel. As in transformers, a
 * text keeps all its tokens and gets no others: `truncation` and `padding` of the file are ignored. The file's own patterns
 * run as regular expressions, and one that means harm can run without end. Node ends it after the `timeout`; in a page, open a file of strangers in a worker, which can be ended.
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
  const { timeout = TIMEOUT_MS } = options;
  checkInteger('openTokenizer: timeout', timeout, 1, 2 ** 31 - 1);
  /** @template T @param {string} where @param {number} length of what is read or written @param {() => T} work */
  const bounded = (where, length, work) =>
    withinTime(
      timeout,
      () => inRoom(length, work),
      () => {
        throw rangeError('patternTime', { where, milliseconds: timeout });
      },
    );
  const tokenizer = checkTokenizer(files.tokenizer, compiled);
  const { isCleaned, special, begin, end, chatTemplate } = checkTokenizerConfig(config);
  const listed = endsOf('generation_config.json', generation);
  const { ids, tokens, decoder, encode } = bounded('openTokenizer', 0, () => opened(tokenizer));
  const list = /** @type {any[]} */ (tokenizer.added_tokens);
  const added = new Set(list.map(({ content }) => content));
  for (const one of list) if (one.special) special.add(one.content);
  /** @param {string | null} token */
  const idOf = (token) => (token === null ? undefined : ids.get(token));
  const eos = idOf(end);
  const ends = [...listed, eos, ...endsAmong((token) => added.has(token)).map(idOf)];
  return {
    bos: idOf(begin),
    eos,
    stops: [...new Set(ends.filter((id) => id !== undefined))],
    chatTemplate,
    encode(text, options = {}) {
      checkText('encode', text);
      checkOptions('encode', options, ['special']);
      const { special: isAround = true } = options;
      checkBoolean('encode: special', isAround);
      const ids = bounded('encode', text.length, () => {
        const textIds = encode(wellFormed(text));
        checkEncoded(textIds, tokenizer.model.type);
        return isAround ? around(tokenizer.post_processor, textIds, idOf) : textIds;
      });
      return /** @type {number[]} */ (ids);
    },
    decode(tokenIds) {
      const shown = checkIds('decode', tokenIds)
        .map((id) => tokens.get(id))
        .filter((token) => token !== undefined && !special.has(token));
      if (!shown.length) return '';
      const length = shown.reduce((sum, token) => sum + Number(token?.length), 0);
      const text = bounded('decode', length, () =>
        decoder(/** @type {string[]} */ (shown)).join(''),
      );
      return isCleaned ? cleaned(text, false) : text;
    },
    tokens: (tokenIds) => checkIds('tokens', tokenIds).map((id) => tokens.get(id) ?? ''),
  };
}
