// A tokenizer made of lists, as GGUF and llama2.c have it: tokens, and by what neighbours are joined. Either bytes are
// joined in the order of a list of merges (GPT-2), or characters by the scores of the tokens they make
// (SentencePiece). Patterns are ours, never the file's, and all takes time n log n in the text.

import {
  checkBoolean,
  checkInteger,
  checkOptions,
  checkText,
  typeError,
} from '../../js/base/errors.js';
import { refusing } from '../../js/formats/texts.js';
import { longestAt, MAX_CHARACTERS, Matcher } from './matching.js';
import { joined } from './merging.js';

/**
 * @typedef {object} TokenLists
 * @property {'gpt2' | 'llama'} model bytes by merges, or characters by scores
 * @property {readonly string[]} tokens
 * @property {ArrayLike<number>} [types] of each token: 1 normal, 2 unknown, 3 control, 4 added, 6 byte
 * @property {ArrayLike<number>} [scores] llama
 * @property {readonly string[]} [merges] gpt2: two tokens with a space between them
 * @property {string} [pre] gpt2: how a text is cut into words
 * @property {boolean} [ignoreMerges] gpt2: a word that is a token is not cut, whatever the merges say
 * @property {number} [bos] the token that begins a text
 * @property {number} [eos] and ends it
 * @property {number} [eot] ends a turn of a chat
 * @property {number} [eom] ends a message
 * @property {number} [unknown] llama: stands for what has no tokens
 * @property {boolean} [addBos] whether encode() puts it there
 * @property {boolean} [addEos]
 * @property {boolean} [addSpace] llama: a text begins with a space */

/** A tokenizer that came with its model.
 * @typedef {object} ListedTokenizer
 * @property {(text: string, options?: { special?: boolean }) => number[]} encode with what the file puts around a text,
 *   unless special is false
 * @property {(ids: Iterable<number>) => string} decode special tokens left out
 * @property {(ids: Iterable<number>) => string[]} tokens each as the vocabulary has it, '' where it has none
 * @property {number | undefined} bos the token that begins a text
 * @property {number | undefined} eos the token that ends it
 * @property {readonly number[]} stops all tokens that end what a model writes
 * @property {number} [unknown] of a vocabulary that model.save() wrote: what encode gives for words that it lacks */

/** Tokens that end what a model writes, by the names that llama.cpp looks for: the end of a text, a turn or a message,
 * and what stands between files of code. */
export const ENDS = [
  ...['<|endoftext|>', '<|end_of_text|>', '</s>', '<eos>', '[EOS]', '<｜end▁of▁sentence｜>'],
  ...['<|im_end|>', '<|eot_id|>', '<|eom_id|>', '<|end|>', '<end_of_turn>', '<turn|>', '[e~['],
  ...['<end_of_utterance>', '<EOT>', '_<EOT>', '[EOT]', '<|return|>', '<|call|>', '<|calls|>'],
  ...['<|flush|>', '<|tool_response>', '<|fim_pad|>', '<fim-pad>', '<fim_pad>', '<PAD>', '[PAD]'],
  ...['<|fim_repo|>', '<|repo_name|>', '<fim-repo>', '<REPO>', '<reponame>', '<|file_sep|>'],
];

/** An end that is none where a vocabulary has all of the others: there the text goes on.
 * @type {[string, string[]][]} */
export const NO_ENDS = [
  ['<|end|>', ['<|return|>', '<|call|>']],
  ['<|end|>', ['<|flush|>', '<|call|>']],
  ['<|end|>', ['<|flush|>', '<|calls|>']],
  ['</s>', ['<|tool_response>']],
];

/** The names of ENDS that end what a model of a vocabulary writes.
 * @param {(token: string) => boolean} has */
export function endsAmong(has) {
  const goesOn = NO_ENDS.filter(([, others]) => others.every(has)).map(([token]) => token);
  return ENDS.filter((token) => has(token) && !goesOn.includes(token));
}

export const NORMAL = 1;
export const UNKNOWN = 2;
const CONTROL = 3;
export const ADDED = 4;
const BYTE = 6;
/** What stands in a text as it is. */
export const SPECIAL = [UNKNOWN, CONTROL, ADDED];

const PART = 'tokenizer';
/** @type {import('../../js/formats/texts.js').Refuse} */
const refuse = /* @__PURE__ */ refusing(PART);

// ---- Words ----

const CONTRACTIONS = "'s|'t|'re|'ve|'m|'ll|'d";
/* In any case; ſ is an s, too. */
const CONTRACTIONS_ANY = "'(?:[sSſtTmMdD]|[rR][eE]|[vV][eE]|[lL][lL])";
const SPACE = '\\p{White_Space}';
const REST = `${SPACE}+(?!\\P{White_Space})|${SPACE}+`;
const GPT2 = `${CONTRACTIONS}| ?\\p{L}+| ?\\p{N}+| ?[^${SPACE}\\p{L}\\p{N}]+|${REST}`;
/** @param {number} digits in a word, at most */
const LLAMA3 = (digits) =>
  `${CONTRACTIONS_ANY}|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,${digits}}| ?[^${SPACE}\\p{L}\\p{N}]+[\\r\\n]*|` +
  `${SPACE}*[\\r\\n]+|${REST}`;

/** How texts are cut into words, by the names that GGUF has for it.
 * @type {Record<string, string[]>} */
export const WORDS = {
  'gpt-2': [GPT2],
  gpt2: [GPT2],
  olmo: [GPT2],
  smollm: ['\\p{N}', GPT2],
  starcoder: ['\\p{N}', GPT2],
  refact: ['\\p{N}', GPT2],
  'llama-bpe': [LLAMA3(3)],
  llama3: [LLAMA3(3)],
  'llama-v3': [LLAMA3(3)],
  falcon3: [LLAMA3(3)],
  pixtral: [LLAMA3(3)],
  'midm-2.0': [LLAMA3(3)],
  qwen2: [LLAMA3(1)],
  'deepseek-r1-qwen': [LLAMA3(1)],
  megrez: [LLAMA3(1)],
};

/** Those of Llama 3: a word that is a token is not cut, and a text begins with a token, where a file says nothing of it. */
export const LLAMA3_WORDS = ['llama-bpe', 'llama3', 'llama-v3', 'falcon3', 'pixtral', 'midm-2.0'];

/** Whether a word that is a token stays whole, whatever merges would make of it.
 * @param {TokenLists} lists */
export const keepsWords = (lists) => lists.ignoreMerges ?? isLlama3(lists);

/** @param {TokenLists} lists */
const isLlama3 = ({ model, pre = '' }) => model === 'gpt2' && LLAMA3_WORDS.includes(pre);

/** Whether a text begins with a token.
 * @param {TokenLists} lists */
export const addsBos = (lists) => lists.addBos ?? (lists.model === 'llama' || isLlama3(lists));

/** @param {string} pattern
 * @returns {(text: string) => string[]} */
function cutting(pattern) {
  const words = new RegExp(pattern, 'gu');
  return (text) => text.match(words) ?? [];
}

/** The matches of a pattern, and what lies between them.
 * @param {string} pattern
 * @returns {(text: string) => string[]} */
function parting(pattern) {
  const parts = new RegExp(`(${pattern})`, 'u');
  return (text) => text.split(parts).filter((part) => part);
}

/** The patterns that cut a text: of two the first one's matches and what lies between them are each cut by the second.
 * @param {string} pre */
export function patternsBy(pre) {
  if (Object.hasOwn(WORDS, pre)) return WORDS[pre];
  return refuse('word', { where: 'pre', words: Object.keys(WORDS).join(', '), given: pre });
}

/** @param {string} pre
 * @returns {(text: string) => string[]} */
export function wordsBy(pre) {
  const patterns = patternsBy(pre);
  const cut = cutting(/** @type {string} */ (patterns.at(-1)));
  if (patterns.length === 1) return cut;
  const part = parting(patterns[0]);
  return (text) => part(text).flatMap(cut);
}

// ---- Bytes as characters ----

/** The characters that stand for the 256 bytes in GPT-2's tokens: those that can be seen, then others. */
export function byteCharacters() {
  const seen = (/** @type {number} */ byte) =>
    (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(seen(byte) ? byte : next++));
}

const encoder = new TextEncoder();

/** Pieces of text from bytes: those that are not UTF-8 are U+FFFD.
 * @param {readonly Uint8Array[]} parts */
function textOf(parts) {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return parts.map((part) => decoder.decode(part, { stream: true })).join('') + decoder.decode();
}

// ---- The two kinds ----

/** The bytes of a token whose characters stand for one byte each; of any other token, its UTF-8.
 * @returns {(token: string) => Uint8Array} */
export function byteLevelBytes() {
  const bytes = new Map(byteCharacters().map((character, byte) => [character, byte]));
  return (token) => {
    const tokenBytes = Array.from(token, (character) => bytes.get(character));
    return tokenBytes.includes(undefined)
      ? encoder.encode(token)
      : Uint8Array.from(/** @type {number[]} */ (tokenBytes));
  };
}

/** What turns pieces of a text into ids, and ids into bytes.
 * @typedef {object} Kind
 * @property {(text: string) => number[]} encode
 * @property {(token: string) => Uint8Array} bytes
 * @property {boolean} begins a decoded text begins with a space that is not its own */

/** As many words as are remembered. */
const MAX_CACHED_WORDS = 10_000;

/** @param {TokenLists} lists @param {Map<string, number>} ids
 * @returns {Kind} */
function byMerges(lists, ids) {
  const { merges = [], pre = 'gpt-2' } = lists;
  const whole = keepsWords(lists);
  const ranks = new Map(merges.map((merge, rank) => [merge, rank]));
  const characters = byteCharacters();
  const words = wordsBy(pre);
  /** @type {Map<string, number[]>} */
  const cached = new Map();
  /** @param {string} word */
  const idsOf = (word) => {
    const pieces = Array.from(encoder.encode(word), (byte) => characters[byte]);
    const wordId = whole ? ids.get(pieces.join('')) : undefined;
    if (wordId !== undefined) return [wordId];
    return joined(pieces, (left, right) => ranks.get(`${left} ${right}`)).flatMap((token) => {
      const id = ids.get(token);
      /* Merges may make what is no token; its bytes are, or nothing is. */
      const parts = id === undefined ? Array.from(token, (character) => ids.get(character)) : [id];
      return parts.filter((part) => part !== undefined);
    });
  };
  return {
    encode: (text) =>
      words(text).flatMap((word) => {
        let wordIds = cached.get(word);
        if (!wordIds) {
          wordIds = idsOf(word);
          if (cached.size === MAX_CACHED_WORDS) cached.clear();
          if (word.length < 100) cached.set(word, wordIds);
        }
        return wordIds;
      }),
    bytes: byteLevelBytes(),
    begins: false,
  };
}

const BLANK = '▁';

/** The token of a byte that no other token has.
 * @param {number} byte */
export const byteToken = (byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`;

/** @param {TokenLists} lists @param {Map<string, number>} ids
 * @returns {Kind} */
function byScores({ tokens, scores = [], unknown, addSpace = true }, ids) {
  const longest = tokens.reduce((most, { length }) => Math.max(most, length), 0);
  /** @param {string} piece */
  const bytesOf = (piece) =>
    Array.from(encoder.encode(piece), (byte) => ids.get(byteToken(byte)) ?? unknown).filter(
      (id) => id !== undefined,
    );
  return {
    encode(text) {
      const blank = (addSpace ? ` ${text}` : text).replaceAll(' ', BLANK);
      return joined(Array.from(blank), (left, right) => {
        if (left.length + right.length > longest) return undefined;
        const id = ids.get(left + right);
        return id === undefined ? undefined : -scores[id];
      }).flatMap((piece) => ids.get(piece) ?? bytesOf(piece));
    },
    bytes(token) {
      const byte = /^<0x([0-9A-F]{2})>$/.exec(token)?.[1];
      return byte
        ? Uint8Array.of(Number.parseInt(byte, 16))
        : encoder.encode(token.replaceAll(BLANK, ' '));
    },
    begins: addSpace,
  };
}

// ---- Tokens that stand in a text as they are ----

/** Cuts a text at them: of those that begin at one place the longest counts.
 * @param {readonly string[]} special
 * @returns {(text: string) => string[]} every second part is one */
function cutAt(special) {
  const matcher = new Matcher(special, true);
  return (text) => {
    const lengths = special.length ? longestAt(matcher, text) : [];
    /** @type {string[]} */
    const parts = [];
    let from = 0;
    for (let position = 0; position < lengths.length; position += lengths[position] || 1) {
      if (!lengths[position]) continue;
      parts.push(text.slice(from, position), text.slice(position, position + lengths[position]));
      from = position + lengths[position];
    }
    return [...parts, text.slice(from)];
  };
}

// ---- The tokenizer ----

/** Of equal tokens the first one counts.
 * @param {readonly string[]} tokens */
export function idsByToken(tokens) {
  /** @type {Map<string, number>} */
  const ids = new Map();
  for (const [id, token] of tokens.entries()) if (!ids.has(token)) ids.set(token, id);
  return ids;
}

/** The tokens that end what a model writes.
 * @param {TokenLists} lists @param {ReadonlyMap<string, number>} [ids] of the tokens */
export function stopsOf({ tokens, eos, eot, eom }, ids = idsByToken(tokens)) {
  const named = endsAmong((name) => ids.has(name)).map((name) => ids.get(name));
  return [...new Set([eos, eot, eom, ...named].filter((id) => id !== undefined))];
}

/** @param {string} where @param {unknown} value */
export function checkIds(where, value) {
  if (typeof value !== 'object' || value === null || !(Symbol.iterator in value)) {
    throw typeError('ids', { where, given: value });
  }
  return Array.from(/** @type {Iterable<unknown>} */ (value), (id, i) =>
    checkInteger(`${where}: ids[${i}]`, id, 0, 2 ** 31 - 1),
  );
}

/** Refuses what llama.cpp does, too: a merge of anything but two tokens, a token twice, a byte that is none.
 * @param {TokenLists} lists @param {string} [part] of the file @param {string} [place] what stands before the names of the lists
 * @returns {Map<string, number>} the id of each token */
export function idsOf({ model, tokens, types = [], merges = [] }, part = PART, place = '') {
  /** @type {import('../../js/formats/texts.js').Refuse} */
  const refuse = refusing(part);
  for (const [i, merge] of merges.entries()) {
    const [left, right, more] = merge.split(' ');
    if (left && right && more === undefined) continue;
    refuse('mergeText', { where: `${place}merges[${i}]`, given: merge });
  }
  /** @type {Map<string, number>} */
  const ids = new Map();
  for (const [id, token] of tokens.entries()) {
    const where = /** @type {string} */ (`${place}tokens[${id}]`);
    const first = ids.get(token);
    if (first !== undefined && token) refuse('sameToken', { where, id: first, given: token });
    if (first === undefined) ids.set(token, id);
    const isByte = types[id] === BYTE || (model === 'llama' && /^<0x..>$/s.test(token));
    if (isByte && !/^<0x[0-9A-F]{2}>$/.test(token)) refuse('byteToken', { where, given: token });
  }
  return ids;
}

/** @param {TokenLists} lists */
function checkLists({ tokens, types, scores, model, bos, eos, eot, eom, unknown }) {
  const n = tokens.length;
  if (!n) refuse('noTokens', {});
  for (const [where, list] of Object.entries({ types, scores })) {
    if (list && list.length !== n) refuse('asManyAs', { where, n, given: list.length });
  }
  if (model === 'llama' && !scores) refuse('noScores', {});
  const size = tokens.reduce((sum, { length }) => sum + length, 0);
  if (size > MAX_CHARACTERS) {
    refuse('smallerVocabulary', { where: 'tokens', most: MAX_CHARACTERS, given: size });
  }
  for (const [where, id] of Object.entries({ bos, eos, eot, eom, unknown })) {
    if (id === undefined || (Number.isInteger(id) && id >= 0 && id < n)) continue;
    refuse('integerFrom', { where, low: 0, high: n - 1, given: id });
  }
}

/** @param {TokenLists} lists
 * @returns {ListedTokenizer} */
export function listedTokenizer(lists) {
  checkLists(lists);
  const { tokens, types = [], model, bos, eos, addEos = false } = lists;
  const addBos = addsBos(lists);
  const ids = idsOf(lists);
  const kind = (model === 'llama' ? byScores : byMerges)(lists, ids);
  const typeOf = (/** @type {number} */ id) => types[id] ?? NORMAL;
  const special = tokens.filter((token, id) => token && SPECIAL.includes(typeOf(id)));
  const parts = cutAt(special);
  /** @param {number} id */
  const bytesOf = (id) =>
    typeOf(id) === ADDED ? encoder.encode(tokens[id]) : kind.bytes(tokens[id]);
  /** @param {number} id */
  const isShown = (id) =>
    id < tokens.length && ![UNKNOWN, CONTROL].includes(typeOf(id)) && id !== bos && id !== eos;
  return {
    bos,
    eos,
    stops: stopsOf(lists, ids),
    encode(text, options = {}) {
      checkText('encode', text);
      checkOptions('encode', options, ['special']);
      const { special: around = true } = options;
      checkBoolean('encode: special', around);
      const textIds = parts(text).flatMap((part, i) => {
        if (i % 2) return [/** @type {number} */ (ids.get(part))];
        return part ? kind.encode(part) : [];
      });
      return [
        ...(around && addBos && bos !== undefined ? [bos] : []),
        ...textIds,
        ...(around && addEos && eos !== undefined ? [eos] : []),
      ];
    },
    decode(tokenIds) {
      const shown = checkIds('decode', tokenIds).filter(isShown);
      const text = textOf(shown.map(bytesOf));
      return kind.begins && text.startsWith(' ') ? text.slice(1) : text;
    },
    tokens: (tokenIds) => checkIds('tokens', tokenIds).map((id) => tokens[id] ?? ''),
  };
}
