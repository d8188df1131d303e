// What tokenizer.json and tokenizer_config.json must be for @huggingface/tokenizers to read them rightly: it
// takes what it is given, and would answer with plain errors, or with ids that are none.

import { show } from '../base/errors.js';
import { refusing } from './tokenizer-texts.js';

/** @typedef {import('./tokenizer-texts.js').Refuse} Refuse */
/** Refuses what it does not expect at a place. @typedef {(given: unknown, where: string, depth: number) => void} Check */
/** Compiles a pattern, or throws. @typedef {(pattern: object) => void} Compile */

/** No embedding has more rows. */
const MAX_ID = 2 ** 24 - 1;
const MOST = 2 ** 31 - 1;
/** Sequences within sequences. */
const MAX_DEPTH = 16;
/** Longer patterns take long to compile; those of real files have a few hundred characters. */
const MAX_PATTERN = 2 ** 14;

/** @type {Refuse} */
const refuse = refusing('tokenizer.json');
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
  if (typeof given !== 'string') refuse('text', { where, given });
};
/** @type {Check} */
const flag = (given, where) => {
  if (typeof given !== 'boolean') refuse('boolean', { where, given });
};
/** The fields of an object.
 * @param {unknown} given @param {string} where */
const fieldsOf = (given, where) => (isObject(given) ? given : refuse('object', { where, given }));
/** @type {Check} */
const object = (given, where) => {
  fieldsOf(given, where);
};
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

/** The fields that are used; what else there is is not looked at.
 * @param {Record<string, Check>} checks
 * @returns {Check} */
const record = (checks) => (given, where, depth) => {
  const fields = fieldsOf(given, where);
  for (const [key, check] of Object.entries(checks)) {
    check(fields[key], where ? `${where}.${key}` : key, depth);
  }
};

/** One of several, told apart by the field that an object has.
 * @param {Record<string, Check>} kinds
 * @returns {Check} */
const either = (kinds) => (given, where, depth) => {
  const fields = fieldsOf(given, where);
  const words = Object.keys(kinds);
  const [key, more] = words.filter((name) => fields[name] !== undefined);
  if (!key || more) refuse('oneField', { where, names: words.join(', ') });
  kinds[key](fields[key], `${where}.${key}`, depth);
};

/** A part whose type says what it has.
 * @param {Record<string, Record<string, Check>>} types
 * @returns {Check} */
const typed = (types) => (given, where, depth) => {
  if (depth > MAX_DEPTH) refuse('tooDeep', { where, most: MAX_DEPTH });
  const { type } = fieldsOf(given, where);
  word(Object.keys(types))(type, `${where}.type`, depth);
  record(types[String(type)])(given, where, depth + 1);
};

// ---- The parts ----

/** @param {Compile} compile */
function partsOf(compile) {
  /** @type {Check} */
  const pattern = either({
    String: text,
    Regex: (given, where, depth) => {
      text(given, where, depth);
      const { length: n } = /** @type {string} */ (given);
      if (n > MAX_PATTERN) refuse('longPattern', { where, most: MAX_PATTERN, n });
      try {
        compile({ Regex: given });
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        refuse('pattern', { where, given, reason: error.message.slice(0, 200) });
      }
    },
  });
  const replacing = { pattern, content: optional(text) };

  /** @type {Check} */
  const normalizer = (given, where, depth) => normalizers(given, where, depth);
  const normalizers = typed({
    BertNormalizer: {
      clean_text: optional(flag),
      handle_chinese_chars: optional(flag),
      lowercase: optional(flag),
      strip_accents: optional(flag),
    },
    Lowercase: {},
    NFC: {},
    NFD: {},
    NFKC: {},
    NFKD: {},
    Precompiled: {},
    Prepend: { prepend: text },
    Replace: replacing,
    Sequence: { normalizers: list(normalizer) },
    Strip: { strip_left: optional(flag), strip_right: optional(flag) },
    StripAccents: {},
  });

  /** @type {Check} */
  const preTokenizer = (given, where, depth) => preTokenizers(given, where, depth);
  const preTokenizers = typed({
    BertPreTokenizer: {},
    ByteLevel: { add_prefix_space: optional(flag), use_regex: optional(flag) },
    Digits: { individual_digits: optional(flag) },
    FixedLength: { length: integer(1, MOST) },
    Metaspace: {
      replacement: optional(text),
      str_rep: optional(text),
      prepend_scheme: optional(text),
    },
    Punctuation: {},
    Replace: replacing,
    Sequence: { pretokenizers: list(preTokenizer) },
    Split: { pattern, invert: optional(flag), behavior: optional(text) },
    Whitespace: {},
    WhitespaceSplit: {},
  });

  /** @type {Check} */
  const postProcessor = (given, where, depth) => postProcessors(given, where, depth);
  /** @param {string[]} sequences
   * @returns {Check} */
  const template = (sequences) =>
    list(
      either({
        SpecialToken: record({ id: text }),
        Sequence: record({ id: word(sequences) }),
      }),
    );
  /** @type {Check} */
  const special = (given, where, depth) => {
    list(() => {})(given, where, depth);
    const [token, tokenId] = /** @type {unknown[]} */ (given);
    text(token, `${where}[0]`, depth);
    id(tokenId, `${where}[1]`, depth);
  };
  const postProcessors = typed({
    BertProcessing: { sep: special, cls: special },
    ByteLevel: {},
    RobertaProcessing: { sep: special, cls: special },
    Sequence: { processors: list(postProcessor) },
    TemplateProcessing: {
      single: template(['A']),
      pair: optional(template(['A', 'B'])),
      special_tokens: optional(object),
    },
  });

  /** @type {Check} */
  const decoder = (given, where, depth) => decoders(given, where, depth);
  const decoders = typed({
    BPEDecoder: { suffix: optional(text) },
    ByteFallback: {},
    ByteLevel: {},
    CTC: {
      pad_token: optional(text),
      word_delimiter_token: optional(text),
      cleanup: optional(flag),
    },
    Fuse: {},
    Metaspace: { replacement: optional(text) },
    Replace: replacing,
    Sequence: { decoders: list(decoder) },
    Strip: {
      content: optional(text),
      start: optional(integer(0, MOST)),
      stop: optional(integer(0, MOST)),
    },
    WordPiece: { prefix: optional(text), cleanup: optional(flag) },
  });

  return record({
    normalizer: optional(normalizer),
    pre_tokenizer: optional(preTokenizer),
    post_processor: optional(postProcessor),
    decoder: optional(decoder),
    added_tokens: optional(
      list(
        record({
          id,
          content: (given, where) => {
            if (typeof given !== 'string' || !given) refuse('textNotEmpty', { where, given });
          },
          single_word: optional(flag),
          lstrip: optional(flag),
          rstrip: optional(flag),
          normalized: optional(flag),
          special: optional(flag),
        }),
      ),
    ),
  });
}

// ---- The model ----

/** Tokens and their ids. There may be a million: a place has a name only where it is wrong.
 * @type {Check} */
function vocabulary(given, where, depth) {
  for (const [token, tokenId] of Object.entries(fieldsOf(given, where))) {
    if (!isId(tokenId)) id(tokenId, `${where}[${show(token)}]`, depth);
  }
}

/** Two tokens each, which the vocabulary has.
 * @param {unknown} given @param {Record<string, number>} vocab */
function checkMerges(given, vocab) {
  const merges = 'model.merges';
  if (!Array.isArray(given)) return refuse('array', { where: merges, given });
  const pairs = Array.isArray(given[0]);
  for (const [i, merge] of given.entries()) {
    const parts = pairs ? merge : typeof merge === 'string' && merge.split(' ');
    if (!Array.isArray(parts) || parts.length !== 2) {
      refuse(pairs ? 'mergePair' : 'mergeText', { where: `${merges}[${i}]`, given: merge });
    }
    for (const token of parts) {
      if (typeof token === 'string' && Object.hasOwn(vocab, token)) continue;
      refuse('tokenDue', { where: `${merges}[${i}]`, given: token });
    }
  }
}

/** What each type of model must be; gives what is read of it.
 * @type {Record<string, (model: Record<string, any>) => Record<string, any>>} */
const MODELS = {
  BPE(model) {
    record({
      vocab: vocabulary,
      unk_token: optional(text),
      fuse_unk: optional(flag),
      byte_fallback: optional(flag),
      ignore_merges: optional(flag),
      end_of_word_suffix: optional(text),
      continuing_subword_suffix: optional(text),
    })(model, 'model', 0);
    checkMerges(model.merges, model.vocab);
    return model;
  },

  WordPiece(model) {
    record({
      vocab: vocabulary,
      unk_token: text,
      fuse_unk: optional(flag),
      continuing_subword_prefix: optional(text),
      max_input_chars_per_word: optional(integer(1, MOST)),
    })(model, 'model', 0);
    return { ...model, continuing_subword_prefix: model.continuing_subword_prefix ?? '##' };
  },

  Unigram(model) {
    const { vocab, unk_id: unknown, byte_fallback: fallback } = model;
    const where = 'model.vocab';
    if (!Array.isArray(vocab) || !vocab.length) refuse('pieces', { where, given: vocab });
    for (const [i, piece] of vocab.entries()) {
      const fits =
        Array.isArray(piece) && typeof piece[0] === 'string' && Number.isFinite(piece[1]);
      if (!fits) refuse('piece', { where: `${where}[${i}]`, given: piece });
    }
    optional(integer(0, vocab.length - 1))(unknown, 'model.unk_id', 0);
    /* It would be passed over. */
    if (fallback) refuse('noByteFallback', { where: 'model.byte_fallback', given: fallback });
    return model;
  },

  WordLevel(model) {
    record({ vocab: vocabulary, unk_token: optional(text) })(model, 'model', 0);
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

/** The id of a token, if there is one.
 * @param {any} tokenizer
 * @returns {(token: string) => number | undefined} */
function lookup({ model: { vocab }, added_tokens: added }) {
  const ids = new Map((added ?? []).map((/** @type {any} */ token) => [token.content, token.id]));
  const own = Array.isArray(vocab)
    ? (/** @type {string} */ token) => vocab.findIndex(([piece]) => piece === token)
    : (/** @type {string} */ token) => (Object.hasOwn(vocab, token) ? vocab[token] : -1);
  return (token) => {
    const found = ids.get(token) ?? own(token);
    return found < 0 ? undefined : found;
  };
}

/** The special tokens that a text is put between: of the ids that they are said to have.
 * @param {any} processor @param {string} where @param {(token: string) => number | undefined} idOf */
function checkSpecial(processor, where, idOf) {
  /** @param {string} place @param {string} token @param {unknown} given */
  const check = (place, token, given) => {
    const found = idOf(token);
    if (found === undefined) return refuse('tokenDue', { where: place, given: token });
    if (given !== undefined && given !== found) refuse('idAs', { where: place, id: found, given });
  };
  const { type, processors, single, special_tokens: told = {} } = processor;
  if (type === 'Sequence') {
    for (const [i, one] of processors.entries()) {
      checkSpecial(one, `${where}.processors[${i}]`, idOf);
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
  if (given.post_processor) checkSpecial(given.post_processor, 'post_processor', lookup(given));
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

const FLAGS = ['remove_space', 'clean_up_tokenization_spaces', 'do_lowercase_and_remove_accent'];

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
  for (const name of FLAGS) {
    if (isMissing(given[name]) || typeof given[name] === 'boolean') continue;
    refuseConfig('boolean', { where: name, given: given[name] });
  }
  const where = 'additional_special_tokens';
  const more = given[where] ?? [];
  if (!Array.isArray(more)) refuseConfig('array', { where, given: more });
  const special = more.map((/** @type {unknown} */ token, /** @type {number} */ i) =>
    textOf(token, `${where}[${i}]`),
  );
  const [begin, end] = ['bos_token', 'eos_token'].map((name) =>
    isMissing(given[name]) ? null : textOf(given[name], name),
  );
  return {
    settings: Object.fromEntries(FLAGS.map((name) => [name, given[name] ?? undefined])),
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

/** The tokens that end a text, as config.json or generation_config.json says: `eos_token_id` is one id, or several.
 * @param {string} part @param {unknown} given
 * @returns {number[]} */
export function endsOf(part, given) {
  const fileRefuse = /** @type {import('./tokenizer-texts.js').Refuse} */ (refusing(part));
  if (!isObject(given)) return fileRefuse('object', { given });
  return [given.eos_token_id ?? []].flat().map((id, i, { length }) => {
    const where = length > 1 ? `eos_token_id[${i}]` : 'eos_token_id';
    if (isId(id)) return id;
    return fileRefuse('integerFrom', { where, low: 0, high: 2 ** 31 - 1, given: id });
  });
}
