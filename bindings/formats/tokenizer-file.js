// What tokenizer.json and tokenizer_config.json must be: each setting is one that is computed, or refused by its name.

import { show } from '../base/errors.js';
import { charsmapParts } from './charsmap.js';
import { MOST_CHARACTERS } from './matching.js';
import { refusing as refusingLists } from './texts.js';
import { BEHAVIOR_NAMES } from './tokenizer-steps.js';
import { refusing } from './tokenizer-texts.js';

/** @typedef {import('./tokenizer-texts.js').Refuse} Refuse */
/** Refuses what it does not expect at a place. @typedef {(given: unknown, where: string, depth: number) => void} Check */
/** Compiles a pattern, or throws. @typedef {(pattern: { Regex?: string }) => void} Compile */

/** No embedding has more rows. */
const MAX_ID = 2 ** 24 - 1;
const MOST = 2 ** 31 - 1;
/** Sequences within sequences. */
const MAX_DEPTH = 16;
/** Longer patterns take long to compile; those of real files have a few hundred characters. */
const MAX_PATTERN = 2 ** 14;

/** @type {Refuse} */
const refuse = refusing('tokenizer.json');
/** What lists of tokens are refused for, too. @type {import('./texts.js').Refuse} */
const refuseList = refusingLists('tokenizer.json');
/** @type {Refuse} */
const refuseConfig = refusing('tokenizer_config.json');

// ---- Checks of one value ----

/** @param {unknown} given
 * @returns {given is number} */
const isId = (given) => Number.isInteger(given) && Number(given) >= 0 && Number(given) <= MAX_ID;

/** @param {unknown} given
 * @returns {given is Record<string, unknown>} */
const isObject = (given) => typeof given === 'object' && given !== null && !Array.isArray(given);

/** @param {unknown} given */
const isMissing = (given) => given === undefined || given === null;

/** @param {number} low @param {number} high
 * @returns {Check} */
const integer = (low, high) => (given, where) => {
  if (Number.isInteger(given) && Number(given) >= low && Number(given) <= high) return;
  refuse('integerFrom', { where, low, high, given });
};
const id = integer(0, MAX_ID);
/** @type {Check} */
const text = (given, where) => {
  if (typeof given !== 'string') return refuse('text', { where, given });
  if (/\p{Surrogate}/u.test(given)) refuse('wholeText', { where, given });
};
/** @param {Check} check
 * @returns {Check} */
const notEmpty = (check) => (given, where, depth) => {
  if (given === '') refuse('textNotEmpty', { where, given });
  check(given, where, depth);
};
/** One character.
 * @type {Check} */
const character = (given, where) => {
  if (typeof given !== 'string' || Array.from(given).length !== 1) {
    refuse('character', { where, given });
  }
};
/** @type {Check} */
const flag = (given, where) => {
  if (typeof given !== 'boolean') refuse('boolean', { where, given });
};
/** The fields of an object.
 * @param {unknown} given @param {string} where */
const fieldsOf = (given, where) => (isObject(given) ? given : refuse('object', { where, given }));
/** @param {readonly string[]} words
 * @returns {Check} */
const word = (words) => (given, where) => {
  if (!words.includes(/** @type {string} */ (given)))
    refuse('word', { where, words: words.join(', '), given });
};

/** What may be left out.
 * @param {Check} check
 * @returns {Check} */
const optional = (check) => (given, where, depth) => {
  if (!isMissing(given)) check(given, where, depth);
};

/** @param {Check} check of each element
 * @returns {Check} */
const list = (check) => (given, where, depth) => {
  if (!Array.isArray(given)) refuse('array', { where, given });
  for (let i = 0; i < given.length; i++) check(given[i], `${where}[${i}]`, depth);
};

/** An object of fields, and no others.
 * @param {Record<string, Check>} checks @param {string} [name] of what has them
 * @returns {Check} */
const record =
  (checks, name = '') =>
  (given, place, depth) => {
    const fields = fieldsOf(given, place);
    const placeOf = (/** @type {string} */ key) => (place ? `${place}.${key}` : key);
    for (const key of Object.keys(fields)) {
      if (Object.hasOwn(checks, key) || (name && key === 'type')) continue;
      const names = Object.keys(checks).join(', ');
      const where = placeOf(key);
      if (names) refuse('noField', { where, names, given: fields[key] });
      refuse('noFields', { where, name, given: fields[key] });
    }
    for (const [key, check] of Object.entries(checks)) check(fields[key], placeOf(key), depth);
  };
/** What ids do not depend on.
 * @type {Check} */
const any = () => {};

/** One of several, told apart by the field that an object has.
 * @param {Record<string, Check>} kinds
 * @returns {Check} */
const either = (kinds) => (given, where, depth) => {
  const fields = fieldsOf(given, where);
  const words = Object.keys(kinds);
  const [key, more] = Object.keys(fields);
  if (!words.includes(key) || more) refuse('oneField', { where, names: words.join(', ') });
  kinds[key](fields[key], `${where}.${key}`, depth);
};

/** A part whose type says what it has.
 * @param {Record<string, Record<string, Check>>} types
 * @returns {Check} */
const typed = (types) => (given, where, depth) => {
  if (depth > MAX_DEPTH) refuse('tooDeep', { where, most: MAX_DEPTH });
  const { type } = fieldsOf(given, where);
  word(Object.keys(types))(type, `${where}.type`, depth);
  record(types[String(type)], String(type))(given, where, depth + 1);
};

// ---- The parts ----

/** A part that may contain others of its kind.
 * @param {(part: Check) => Record<string, Record<string, Check>>} typesOf
 * @returns {Check} */
function nesting(typesOf) {
  /** @type {Check} */
  const part = (given, where, depth) => check(given, where, depth);
  const check = typed(typesOf(part));
  return check;
}

/** @param {Compile} compile */
const patternOf = (compile) =>
  either({
    String: text,
    Regex: (given, where, depth) => {
      text(given, where, depth);
      const { length: n } = /** @type {string} */ (given);
      if (n > MAX_PATTERN) refuse('longPattern', { where, most: MAX_PATTERN, n });
      try {
        compile({ Regex: String(given) });
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        refuse('pattern', { where, given, reason: error.message.slice(0, 200) });
      }
    },
  });

/** @type {Check} */
const charsmap = (given, where, depth) => {
  text(given, where, depth);
  if (!charsmapParts(String(given))) refuse('charsmap', { where, given });
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
  str_rep: any,
  add_prefix_space: optional(flag),
  prepend_scheme: optional(word(['always', 'first', 'never'])),
  split: optional(flag),
};
const BEHAVIOR = word(BEHAVIOR_NAMES);

/** @param {Check} pattern */
const preTokenizerOf = (pattern) =>
  nesting((preTokenizer) => ({
    BertPreTokenizer: {},
    ByteLevel: { add_prefix_space: optional(flag), trim_offsets: any, use_regex: optional(flag) },
    CharDelimiterSplit: { delimiter: character },
    Digits: { individual_digits: optional(flag) },
    FixedLength: { length: integer(1, MOST) },
    Metaspace: METASPACE,
    Punctuation: { behavior: optional(BEHAVIOR) },
    Sequence: { pretokenizers: list(preTokenizer) },
    Split: { pattern, invert: optional(flag), behavior: BEHAVIOR },
    Whitespace: {},
    WhitespaceSplit: {},
  }));

/** A token and its id. @type {Check} */
const specialToken = (given, where, depth) => {
  list(any)(given, where, depth);
  const [content, tokenId] = /** @type {unknown[]} */ (given);
  text(content, `${where}[0]`, depth);
  id(tokenId, `${where}[1]`, depth);
};

/** What ids do not depend on. */
const BYTE_LEVEL = { add_prefix_space: any, trim_offsets: any, use_regex: any };

const POST_PROCESSOR = nesting((postProcessor) => ({
  BertProcessing: { sep: specialToken, cls: specialToken },
  ByteLevel: BYTE_LEVEL,
  RobertaProcessing: {
    ...{ sep: specialToken, cls: specialToken },
    ...{ trim_offsets: any, add_prefix_space: any },
  },
  Sequence: { processors: list(postProcessor) },
  TemplateProcessing: {
    single: list(
      either({
        SpecialToken: record({ id: text, type_id: any }),
        Sequence: record({ id: word(['A']), type_id: any }),
      }),
    ),
    pair: any,
    special_tokens: any,
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
    Strip: { content: character, start: integer(0, MOST), stop: integer(0, MOST) },
    WordPiece: { prefix: optional(text), cleanup: optional(flag) },
  }));

/** @param {Compile} compile */
function partsOf(compile) {
  const pattern = patternOf(compile);
  return record({
    ...{ version: any, model: any },
    /* What a program did with its texts: a call of transformers drops both unless it asks for them. */
    ...{ truncation: any, padding: any },
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
const token = (given, where, depth) => {
  text(given, where, depth);
  const byte = /^<0x(..)>$/s.exec(String(given));
  if (byte && !/^[0-9A-Fa-f]{2}$/.test(byte[1])) refuseList('byteToken', { where, given });
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

/** Tokens and their ids, each once. There may be a million: a place has a name only where it is wrong.
 * @type {Check} */
function vocabulary(given, where, depth) {
  /** @type {Map<unknown, string>} */
  const ids = new Map();
  let size = 0;
  for (const [name, tokenId] of Object.entries(fieldsOf(given, where))) {
    const place = `${where}[${show(name)}]`;
    if (!isId(tokenId)) id(tokenId, place, depth);
    token(name, place, depth);
    const other = ids.get(tokenId);
    if (other !== undefined) refuse('sameId', { where: place, token: show(other), given: tokenId });
    ids.set(tokenId, name);
    size += name.length;
  }
  if (size > MOST_CHARACTERS)
    refuseList('smallerVocabulary', { where, most: MOST_CHARACTERS, given: size });
}

/** Two tokens each, which the vocabulary has, and with them what they make.
 * @param {unknown} given @param {Record<string, number>} vocab @param {string} prefix of tokens that continue a word */
function checkMerges(given, vocab, prefix) {
  const merges = 'model.merges';
  if (!Array.isArray(given)) return refuse('array', { where: merges, given });
  const pairs = Array.isArray(given[0]);
  for (const [i, merge] of given.entries()) {
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
const noDropout = (given, where) => {
  if (!isMissing(given) && given !== 0) refuse('noDropout', { where, given });
};
/** @type {Check} */
const empty = (given, where) => {
  if (!isMissing(given) && given !== '') refuse('notRead', { where, given });
};

/** What each type of model must be; gives what is read of it.
 * @type {Record<string, (model: Record<string, any>) => Record<string, any>>} */
const MODELS = {
  BPE(model) {
    record(
      {
        vocab: vocabulary,
        merges: any,
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
        max_input_chars_per_word: optional(integer(0, MOST)),
      },
      'WordPiece',
    )(model, 'model', 0);
    return { ...model, continuing_subword_prefix: model.continuing_subword_prefix ?? '##' };
  },

  Unigram(model) {
    const { vocab, unk_id: unknown } = model;
    record({ vocab: any, unk_id: any, byte_fallback: optional(flag) }, 'Unigram')(
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
    if (size > MOST_CHARACTERS)
      refuseList('smallerVocabulary', { where, most: MOST_CHARACTERS, given: size });
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
  const own = Array.isArray(vocab) ? vocab.map(([piece], i) => [piece, i]) : Object.entries(vocab);
  const ids = new Map(own);
  const names = new Map(own.map(([name, tokenId]) => [tokenId, name]));
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
  if (size > MOST_CHARACTERS)
    refuseList('smallerVocabulary', { where: 'added_tokens', most: MOST_CHARACTERS, given: size });
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
const STILL = [
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
    ({ type, content, strip_left: isCut }) => isCut || content === '' || !STILL.includes(type),
  );
  const before = i ? cuts[i - 1] : other;
  if (before) refuse('notFirst', { where, before: before.type, given: 'first' });
}

/** The special tokens that a text is put between: of the ids that they are said to have.
 * @param {any} processor @param {string} where @param {Map<string, number>} ids */
function checkSpecial(processor, where, ids) {
  /** @param {string} place @param {string} token @param {unknown} given */
  const check = (place, token, given) => {
    const found = ids.get(token);
    if (found === undefined) return refuse('tokenDue', { where: place, given: token });
    if (given !== undefined && given !== found) refuse('idAs', { where: place, id: found, given });
  };
  const { type, processors, single, special_tokens: told = {} } = processor;
  if (type === 'Sequence') {
    for (const [i, one] of processors.entries()) {
      checkSpecial(one, `${where}.processors[${i}]`, ids);
    }
  } else if (type === 'TemplateProcessing') {
    for (const [i, { SpecialToken: special }] of single.entries()) {
      if (!special) continue;
      check(`${where}.single[${i}].SpecialToken.id`, special.id, undefined);
      const given = Object.hasOwn(told ?? {}, special.id) ? told[special.id]?.ids : undefined;
      const place = `${where}.special_tokens[${show(special.id)}].ids`;
      if (given === undefined) continue;
      if (!Array.isArray(given) || given.length !== 1) refuse('oneId', { where: place, given });
      check(`${place}[0]`, special.id, given[0]);
    }
  } else if (type !== 'ByteLevel') {
    for (const side of ['cls', 'sep']) {
      check(`${where}.${side}[1]`, processor[side][0], processor[side][1]);
    }
  }
}

// ---- The files ----

/** Checks tokenizer.json, parsed, and completes it.
 * @param {unknown} given @param {Compile} compile what a pattern goes through
 * @returns {{ model: { type: string } & Record<string, unknown> } & Record<string, unknown>} */
export function checkTokenizer(given, compile) {
  if (!isObject(given) || !('model' in given)) return refuse('tokenizerFile', { given });
  const type = typeOf(given.model);
  const model = MODELS[type](/** @type {any} */ (given.model));
  partsOf(compile)(given, '', 0);
  checkFirst(given);
  const ids = idsOf(given);
  if (given.post_processor) checkSpecial(given.post_processor, 'post_processor', ids);
  return {
    normalizer: null,
    pre_tokenizer: null,
    post_processor: null,
    decoder: null,
    ...given,
    added_tokens: given.added_tokens ?? [],
    model: { ...model, type },
  };
}

/** A token by its text, or as an object.
 * @param {unknown} token @param {string} where
 * @returns {string} */
function textOf(token, where) {
  const content = isObject(token) ? token.content : token;
  return typeof content === 'string' ? content : refuseConfig('text', { where, given: token });
}

/** The template of chats: of several, that for no purpose of its own.
 * @param {unknown} given
 * @returns {string | null} */
function templateOf(given) {
  if (isMissing(given)) return null;
  const where = 'chat_template';
  if (!Array.isArray(given)) {
    return typeof given === 'string' ? given : refuseConfig('text', { where, given });
  }
  const usual = given.find((one) => isObject(one) && one.name === 'default');
  return usual ? textOf({ content: usual.template }, where) : null;
}

/** Checks tokenizer_config.json, parsed: the settings that are used, and which tokens are special besides.
 * @param {unknown} given */
export function checkTokenizerConfig(given) {
  if (!isObject(given)) return refuseConfig('object', { given });
  const name = 'clean_up_tokenization_spaces';
  const isCleaned = given[name] ?? false;
  if (typeof isCleaned !== 'boolean') refuseConfig('boolean', { where: name, given: isCleaned });
  const where = 'additional_special_tokens';
  const more = given[where] ?? [];
  if (!Array.isArray(more)) refuseConfig('array', { where, given: more });
  const special = more.map((/** @type {unknown} */ token, /** @type {number} */ i) =>
    textOf(token, `${where}[${i}]`),
  );
  const [begin, end] = ['bos_token', 'eos_token'].map((which) =>
    isMissing(given[which]) ? null : textOf(given[which], which),
  );
  return {
    isCleaned,
    special: new Set(special),
    begin,
    end,
    chatTemplate: templateOf(given.chat_template),
  };
}

/** Refuses the ids of a text, where one is none.
 * @param {readonly unknown[]} ids @param {string} type of the model */
export function checkEncoded(ids, type) {
  const given = ids.find((one) => !isId(one));
  if (given === undefined && !ids.includes(undefined)) return;
  refuse('noUnknown', { where: type === 'Unigram' ? 'model.unk_id' : 'model.unk_token', given });
}
