// What tokenizer.json must be: each setting is one that is computed, or refused by its name.

import { show } from '../../js/base/errors.js';
import { refusing as refusingLists } from '../../js/formats/texts.js';
import { charsmapParts } from './charsmap.js';
import { MAX_CHARACTERS } from './matching.js';
import {
  anything,
  character,
  either,
  fieldsOf,
  flag,
  id,
  integer,
  isId,
  isMissing,
  isObject,
  list,
  notEmpty,
  optional,
  record,
  refuse,
  text,
  typed,
  word,
} from './tokenizer-schema.js';
import { BEHAVIOR_NAMES } from './tokenizer-steps.js';

/** @typedef {import('./tokenizer-schema.js').Check} Check */
/** Compiles a pattern, or throws. @typedef {(pattern: { Regex?: string }) => void} Compile */

const MAX_INTEGER = 2 ** 31 - 1;
/** Longer patterns take long to compile; those of real files have a few hundred characters. */
const MAX_PATTERN = 2 ** 14;

/** What lists of tokens are refused for, too. @type {import('../../js/formats/texts.js').Refuse} */
const refuseList = refusingLists('tokenizer.json');

// ---- The parts ----

/** A part that may contain others of its kind.
 * @param {(part: Check) => Record<string, Record<string, Check>>} typesOf
 * @returns {Check} */
function nesting(typesOf) {
  /** @type {Check} */
  const part = (value, where, depth) => check(value, where, depth);
  const check = typed(typesOf(part));
  return check;
}

/** @param {Compile} compile */
const patternOf = (compile) =>
  either({
    String: text,
    Regex: (value, where, depth) => {
      text(value, where, depth);
      const { length: n } = /** @type {string} */ (value);
      if (n > MAX_PATTERN) refuse('longPattern', { where, most: MAX_PATTERN, n });
      try {
        compile({ Regex: String(value) });
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        refuse('pattern', { where, given: value, reason: error.message.slice(0, 200) });
      }
    },
  });

/** @type {Check} */
const charsmap = (value, where, depth) => {
  text(value, where, depth);
  if (!charsmapParts(String(value))) refuse('charsmap', { where, given: value });
};

/** @param {Check} pattern */
const normalizerOf = (pattern) =>
  nesting((normalizer) => ({
    BertNormalizer: {
      clean_text: optional(flag),
      handle_chinese_chars: optional(flag),
      lowercase: optional(flag),
      strip_accents: optional(flag),
    },
    ByteLevel: {},
    Lowercase: {},
    NFC: {},
    NFD: {},
    NFKC: {},
    NFKD: {},
    Nmt: {},
    Precompiled: { precompiled_charsmap: optional(charsmap) },
    /* After an empty one, Hugging Face's own loses a byte. */
    Prepend: { prepend: notEmpty(text) },
    Replace: { pattern, content: text },
    Sequence: { normalizers: list(normalizer) },
    Strip: { strip_left: optional(flag), strip_right: optional(flag) },
    StripAccents: {},
  }));

const METASPACE = {
  replacement: optional(character),
  str_rep: anything,
  add_prefix_space: optional(flag),
  prepend_scheme: optional(word(['always', 'first', 'never'])),
  split: optional(flag),
};
const BEHAVIOR = word(BEHAVIOR_NAMES);

/** @param {Check} pattern */
const preTokenizerOf = (pattern) =>
  nesting((preTokenizer) => ({
    BertPreTokenizer: {},
    ByteLevel: {
      add_prefix_space: optional(flag),
      trim_offsets: anything,
      use_regex: optional(flag),
    },
    CharDelimiterSplit: { delimiter: character },
    Digits: { individual_digits: optional(flag) },
    FixedLength: { length: integer(1, MAX_INTEGER) },
    Metaspace: METASPACE,
    Punctuation: { behavior: optional(BEHAVIOR) },
    Sequence: { pretokenizers: list(preTokenizer) },
    Split: { pattern, invert: optional(flag), behavior: BEHAVIOR },
    Whitespace: {},
    WhitespaceSplit: {},
  }));

/** A token and its id. @type {Check} */
const specialToken = (value, where, depth) => {
  list(anything)(value, where, depth);
  const [content, tokenId] = /** @type {unknown[]} */ (value);
  text(content, `${where}[0]`, depth);
  id(tokenId, `${where}[1]`, depth);
};

/** What ids do not depend on. */
const BYTE_LEVEL = { add_prefix_space: anything, trim_offsets: anything, use_regex: anything };

const POST_PROCESSOR = nesting((postProcessor) => ({
  BertProcessing: { sep: specialToken, cls: specialToken },
  ByteLevel: BYTE_LEVEL,
  RobertaProcessing: {
    ...{ sep: specialToken, cls: specialToken },
    ...{ trim_offsets: anything, add_prefix_space: anything },
  },
  Sequence: { processors: list(postProcessor) },
  TemplateProcessing: {
    single: list(
      either({
        SpecialToken: record({ id: text, type_id: anything }),
        Sequence: record({ id: word(['A']), type_id: anything }),
      }),
    ),
    pair: anything,
    special_tokens: anything,
  },
}));

/** @param {Check} pattern */
const decoderOf = (pattern) =>
  nesting((decoder) => ({
    BPEDecoder: { suffix: optional(text) },
    ByteFallback: {},
    ByteLevel: BYTE_LEVEL,
    CTC: {
      pad_token: optional(text),
      word_delimiter_token: optional(text),
      cleanup: optional(flag),
    },
    Fuse: {},
    Metaspace: METASPACE,
    Replace: { pattern, content: text },
    Sequence: { decoders: list(decoder) },
    Strip: { content: character, start: integer(0, MAX_INTEGER), stop: integer(0, MAX_INTEGER) },
    WordPiece: { prefix: optional(text), cleanup: optional(flag) },
  }));

/** @param {Compile} compile */
function partsOf(compile) {
  const pattern = patternOf(compile);
  return record({
    ...{ version: anything, model: anything },
    /* What a program did with its texts: a call of transformers drops both unless it asks for them. */
    ...{ truncation: anything, padding: anything },
    normalizer: optional(normalizerOf(pattern)),
    pre_tokenizer: optional(preTokenizerOf(pattern)),
    post_processor: optional(POST_PROCESSOR),
    decoder: optional(decoderOf(pattern)),
    added_tokens: optional(list(ADDED_TOKEN)),
  });
}

// ---- The model ----

/** What has the form of a byte is one.
 * @type {Check} */
const token = (value, where, depth) => {
  text(value, where, depth);
  const byte = /^<0x(..)>$/s.exec(String(value));
  if (byte && !/^[0-9A-Fa-f]{2}$/.test(byte[1])) refuseList('byteToken', { where, given: value });
};

const ADDED_TOKEN = record({
  id,
  content: notEmpty(token),
  single_word: optional(flag),
  lstrip: optional(flag),
  rstrip: optional(flag),
  normalized: optional(flag),
  special: optional(flag),
});

/** @param {number} total characters of all tokens @param {string} where */
function checkTotal(total, where) {
  if (total > MAX_CHARACTERS)
    refuseList('smallerVocabulary', { where, most: MAX_CHARACTERS, given: total });
}

/** Tokens and their ids, each once. There may be a million: a place has a name only where it is wrong.
 * @type {Check} */
function vocabulary(value, where, depth) {
  /** @type {Map<unknown, string>} */
  const ids = new Map();
  let size = 0;
  for (const [name, tokenId] of Object.entries(fieldsOf(value, where))) {
    const place = `${where}[${show(name)}]`;
    if (!isId(tokenId)) id(tokenId, place, depth);
    token(name, place, depth);
    const other = ids.get(tokenId);
    if (other !== undefined) refuse('sameId', { where: place, token: show(other), given: tokenId });
    ids.set(tokenId, name);
    size += name.length;
  }
  checkTotal(size, where);
}

/** Two tokens each, which the vocabulary has, and with them what they make.
 * @param {unknown} value @param {Record<string, number>} vocab @param {string} prefix of tokens that continue a word */
function checkMerges(value, vocab, prefix) {
  const merges = 'model.merges';
  if (!Array.isArray(value)) return refuse('array', { where: merges, given: value });
  const pairs = Array.isArray(value[0]);
  for (const [i, merge] of value.entries()) {
    const where = `${merges}[${i}]`;
    const parts = pairs ? merge : typeof merge === 'string' && merge.split(' ');
    if (!Array.isArray(parts) || parts.length !== 2) {
      if (pairs) refuse('mergePair', { where, given: merge });
      refuseList('mergeText', { where, given: merge });
    }
    for (const part of parts) {
      if (typeof part === 'string' && Object.hasOwn(vocab, part)) continue;
      refuse('tokenDue', { where, given: part });
    }
    const [left, right] = parts;
    if (!right.startsWith(prefix)) refuse('mergePrefix', { where, prefix, given: merge });
    const made = left + right.slice(prefix.length);
    if (!Object.hasOwn(vocab, made)) refuse('tokenDue', { where, given: made });
  }
}

/** No pair of tokens is left out at random.
 * @type {Check} */
const noDropout = (value, where) => {
  if (!isMissing(value) && value !== 0) refuse('noDropout', { where, given: value });
};
/** @type {Check} */
const empty = (value, where) => {
  if (!isMissing(value) && value !== '') refuse('notRead', { where, given: value });
};

/** What each type of model must be; gives what is read of it.
 * @type {Record<string, (model: Record<string, any>) => Record<string, any>>} */
const MODELS = {
  BPE(model) {
    record(
      {
        vocab: vocabulary,
        merges: anything,
        dropout: noDropout,
        unk_token: optional(text),
        fuse_unk: optional(flag),
        byte_fallback: optional(flag),
        ignore_merges: optional(flag),
        end_of_word_suffix: optional(text),
        continuing_subword_prefix: optional(text),
        continuing_subword_suffix: empty,
      },
      'BPE',
    )(model, 'model', 0);
    checkMerges(model.merges, model.vocab, model.continuing_subword_prefix ?? '');
    return model;
  },

  WordPiece(model) {
    record(
      {
        vocab: vocabulary,
        unk_token: text,
        continuing_subword_prefix: optional(text),
        max_input_chars_per_word: optional(integer(0, MAX_INTEGER)),
      },
      'WordPiece',
    )(model, 'model', 0);
    return { ...model, continuing_subword_prefix: model.continuing_subword_prefix ?? '##' };
  },

  Unigram(model) {
    const { vocab, unk_id: unknown } = model;
    record({ vocab: anything, unk_id: anything, byte_fallback: optional(flag) }, 'Unigram')(
      model,
      'model',
      0,
    );
    const where = 'model.vocab';
    if (!Array.isArray(vocab) || !vocab.length) refuse('pieces', { where, given: vocab });
    /** @type {Map<string, number>} */
    const ids = new Map();
    let size = 0;
    for (const [i, piece] of vocab.entries()) {
      const place = `${where}[${i}]`;
      const fits =
        Array.isArray(piece) &&
        piece.length === 2 &&
        typeof piece[0] === 'string' &&
        Number.isFinite(piece[1]);
      if (!fits) refuse('piece', { where: place, given: piece });
      token(piece[0], place, 0);
      const other = ids.get(piece[0]);
      if (other !== undefined)
        refuseList('sameToken', { where: place, id: other, given: piece[0] });
      ids.set(piece[0], i);
      size += piece[0].length;
    }
    checkTotal(size, where);
    optional(integer(0, vocab.length - 1))(unknown, 'model.unk_id', 0);
    return model;
  },

  WordLevel(model) {
    record({ vocab: vocabulary, unk_token: optional(text) }, 'WordLevel')(model, 'model', 0);
    return { vocab: model.vocab, unk_token: model.unk_token };
  },
};

/** The type of a model; files of the first years leave it out.
 * @param {unknown} model */
function typeOf(model) {
  if (!isObject(model)) return refuse('object', { where: 'model', given: model });
  if (isMissing(model.type)) {
    if (Array.isArray(model.vocab)) return 'Unigram';
    if (model.merges !== undefined) return 'BPE';
    if (model.continuing_subword_prefix !== undefined) return 'WordPiece';
  }
  word(Object.keys(MODELS))(model.type, 'model.type', 0);
  return /** @type {string} */ (model.type);
}

/** The ids of all tokens; those of added tokens must be their own, or the vocabulary's where it has them.
 * @param {any} tokenizer
 * @returns {Map<string, number>} */
function idsOf({ model: { vocab }, added_tokens: added }) {
  /** @type {[string, number][]} */
  const entries = Array.isArray(vocab)
    ? vocab.map(([piece], i) => [piece, i])
    : Object.entries(vocab);
  const ids = new Map(entries);
  const names = new Map(entries.map(([name, tokenId]) => [tokenId, name]));
  let size = 0;
  for (const [i, { content, id: tokenId }] of (added ?? []).entries()) {
    const where = `added_tokens[${i}].id`;
    const before = ids.get(content);
    if (before !== undefined && before !== tokenId)
      refuse('idAs', { where, id: before, given: tokenId });
    const other = names.get(tokenId);
    if (other !== undefined && other !== content) {
      refuse('sameId', { where, token: show(other), given: tokenId });
    }
    ids.set(content, tokenId);
    names.set(tokenId, content);
    size += content.length;
  }
  checkTotal(size, 'added_tokens');
  return ids;
}

/** All parts of one, those of a Sequence one by one.
 * @param {any} part
 * @returns {any[]} */
const partsIn = (part) =>
  part
    ? [part, ...(part.pretokenizers ?? part.normalizers ?? part.decoders ?? []).flatMap(partsIn)]
    : [];

/** Where normalizers leave the beginning of a text alone. */
const KEEPING_START = [
  ...['Sequence', 'NFC', 'NFD', 'NFKC', 'NFKD', 'Lowercase', 'Precompiled', 'Prepend', 'Replace'],
  'Strip',
];

/** Whether a space is put before a text: not told in two ways, and only where nothing before takes its beginning away.
 * @param {any} tokenizer */
function checkFirst({ normalizer, pre_tokenizer: words, decoder }) {
  const odd = [...partsIn(words), ...partsIn(decoder)].find(
    ({ add_prefix_space: begins, prepend_scheme: scheme = 'never' }) =>
      begins === false && scheme !== 'never',
  );
  if (odd) {
    refuse('word', {
      where: 'Metaspace.prepend_scheme',
      words: 'never',
      given: odd.prepend_scheme,
    });
  }
  const cuts = partsIn(words).filter(({ type }) => type !== 'Sequence');
  const i = cuts.findIndex(({ prepend_scheme: scheme }) => scheme === 'first');
  if (i < 0) return;
  const where = 'pre_tokenizer: Metaspace.prepend_scheme';
  const other = partsIn(normalizer).find(
    ({ type, content, strip_left: isCut }) =>
      isCut || content === '' || !KEEPING_START.includes(type),
  );
  const before = i ? cuts[i - 1] : other;
  if (before) refuse('notFirst', { where, before: before.type, given: 'first' });
}

/** The special tokens that a text is put between: of the ids that they are said to have.
 * @param {any} processor @param {string} where @param {Map<string, number>} ids */
function checkSpecial(processor, where, ids) {
  /** @param {string} place @param {string} token @param {unknown} tokenId */
  const check = (place, token, tokenId) => {
    const expected = ids.get(token);
    if (expected === undefined) return refuse('tokenDue', { where: place, given: token });
    if (tokenId !== undefined && tokenId !== expected)
      refuse('idAs', { where: place, id: expected, given: tokenId });
  };
  const { type, processors, single, special_tokens: specialTokens = {} } = processor;
  if (type === 'Sequence') {
    for (const [i, one] of processors.entries()) {
      checkSpecial(one, `${where}.processors[${i}]`, ids);
    }
  } else if (type === 'TemplateProcessing') {
    for (const [i, { SpecialToken: special }] of single.entries()) {
      if (!special) continue;
      check(`${where}.single[${i}].SpecialToken.id`, special.id, undefined);
      const tokenIds = Object.hasOwn(specialTokens ?? {}, special.id)
        ? specialTokens[special.id]?.ids
        : undefined;
      const place = `${where}.special_tokens[${show(special.id)}].ids`;
      if (tokenIds === undefined) continue;
      if (!Array.isArray(tokenIds) || tokenIds.length !== 1)
        refuse('oneId', { where: place, given: tokenIds });
      check(`${place}[0]`, special.id, tokenIds[0]);
    }
  } else if (type !== 'ByteLevel') {
    for (const side of ['cls', 'sep']) {
      check(`${where}.${side}[1]`, processor[side][0], processor[side][1]);
    }
  }
}

// ---- The file ----

/** Checks tokenizer.json, parsed, and completes it.
 * @param {unknown} file @param {Compile} compile what a pattern goes through
 * @returns {{ model: { type: string } & Record<string, unknown> } & Record<string, unknown>} */
export function checkTokenizer(file, compile) {
  if (!isObject(file) || !('model' in file)) return refuse('tokenizerFile', { given: file });
  const type = typeOf(file.model);
  const model = MODELS[type](/** @type {any} */ (file.model));
  partsOf(compile)(file, '', 0);
  checkFirst(file);
  const ids = idsOf(file);
  if (file.post_processor) checkSpecial(file.post_processor, 'post_processor', ids);
  return {
    normalizer: null,
    pre_tokenizer: null,
    post_processor: null,
    decoder: null,
    ...file,
    added_tokens: file.added_tokens ?? [],
    model: { ...model, type },
  };
}

/** Refuses the ids of a text, where one is none.
 * @param {readonly unknown[]} ids @param {string} type of the model */
export function checkEncoded(ids, type) {
  const invalid = ids.find((one) => !isId(one));
  if (invalid === undefined && !ids.includes(undefined)) return;
  refuse('noUnknown', {
    where: type === 'Unigram' ? 'model.unk_id' : 'model.unk_token',
    given: invalid,
  });
}
