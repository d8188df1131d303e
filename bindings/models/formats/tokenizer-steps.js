// What tokenizer.json does to a text before its model reads it: normalizers change it, pre-tokenizers cut it into words.
// Each computes what `tokenizers` of Hugging Face computes.

import { charsmap } from './charsmap.js';
import { byteCharacters } from './token-lists.js';
import { compiled, partsBy, replaced } from './tokenizer-pattern.js';
import { takeRoom } from './tokenizer-room.js';

/** @typedef {(text: string) => string} Change */
/** A piece of a text; isFirst: it begins the text. @typedef {{ text: string, isFirst: boolean }} Piece */
/** @typedef {(pieces: Piece[]) => Piece[]} Cut */

const encoder = new TextEncoder();

/** The characters that stand for the bytes of a text.
 * @returns {Change} */
function asBytes() {
  const characters = byteCharacters();
  return (text) => {
    const bytes = encoder.encode(text);
    takeRoom(bytes.length);
    return Array.from(bytes, (byte) => characters[byte]).join('');
  };
}

// ---- Normalizers ----

const CHINESE =
  /[\u4e00-\u9fff\u3400-\u4dbf\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\uf900-\ufaff\u{2f800}-\u{2fa1f}]/gu;

/** Each character by itself: no rule for a final sigma.
 * @type {Change} */
const lower = (text) => Array.from(text, (character) => character.toLowerCase()).join('');

/** @param {any} part
 * @returns {Change} */
function bert(part) {
  const { clean_text: clean, handle_chinese_chars: chinese, lowercase, strip_accents } = part;
  const strip = strip_accents ?? lowercase;
  return (text) => {
    let out = text;
    if (clean) {
      out = out
        .replace(/\ufffd|(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}]/gu, '')
        .replace(/\p{White_Space}/gu, ' ');
    }
    if (chinese) out = out.replace(CHINESE, ' $& ');
    if (strip) out = out.normalize('NFD').replace(/\p{Mn}/gu, '');
    return lowercase ? lower(out) : out;
  };
}

/** What Google's machine translation drops, and what it takes as a space. */
const NMT_DROPPED = /(?![\0\t\n\f\r\u0080-\u008e\u0090-\u009e])\p{Cc}/gu;
const NMT_SPACE = /[\t\n\f\r\u1680\u200b-\u200f\u2028\u2029\u2581\ufeff\ufffd]/gu;

/** @param {string} form
 * @returns {() => Change} */
const normalForm = (form) => () => (text) => text.normalize(form);

/** @type {Record<string, (part: any) => Change>} */
const NORMALIZERS = {
  BertNormalizer: bert,
  ByteLevel: asBytes,
  Lowercase: () => lower,
  NFC: normalForm('NFC'),
  NFD: normalForm('NFD'),
  NFKC: normalForm('NFKC'),
  NFKD: normalForm('NFKD'),
  Nmt: () => (text) => text.replace(NMT_DROPPED, '').replace(NMT_SPACE, ' '),
  Precompiled: ({ precompiled_charsmap: map }) => charsmap(map),
  Prepend({ prepend }) {
    return (text) => {
      takeRoom(prepend.length + text.length);
      return text && prepend + text;
    };
  },
  Replace({ pattern, content }) {
    const regex = compiled(pattern);
    return (text) => replaced(text, regex, content);
  },
  Sequence({ normalizers }) {
    const all = normalizers.map(normalizerOf);
    return (text) =>
      all.reduce((/** @type {string} */ now, /** @type {Change} */ change) => change(now), text);
  },
  Strip({ strip_left: left, strip_right: right }) {
    return (text) => {
      const from = left ? /^\p{White_Space}*/u.exec(text)?.[0].length : 0;
      const rest = text.slice(from);
      return right ? rest.slice(0, rest.length - spacesBehind(rest)) : rest;
    };
  },
  StripAccents: () => (text) => text.replace(/\p{M}/gu, ''),
};

/** How many spaces a text ends with.
 * @param {string} text */
export function spacesBehind(text) {
  let end = text.length;
  while (end > 0 && /\p{White_Space}/u.test(text[end - 1])) end--;
  return text.length - end;
}

/** The fields of a part that have a value: null stands for the usual one.
 * @param {object} part
 * @returns {Record<string, unknown>} */
export const fieldsOf = (part) =>
  Object.fromEntries(Object.entries(part).filter(([, value]) => value !== null));

/** Of a part of a file that was checked; null changes nothing.
 * @type {(part: unknown) => Change} */
export const normalizerOf = (/** @type {any} */ part) =>
  part ? NORMALIZERS[String(part.type)](fieldsOf(part)) : (/** @type {string} */ text) => text;

// ---- Pre-tokenizers ----

const PUNCTUATION = /[!-/:-@[-`{-~\p{P}]/gu;
const SPACES = /\p{White_Space}/gu;
/* The word characters of Rust. */
const WORD = '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}';
const WORDS = new RegExp(`[${WORD}]+|[^${WORD}\\p{White_Space}]+`, 'gu');
const NUMERIC = /\p{N}/gu;
const GPT2 =
  /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\p{White_Space}\p{L}\p{N}]+|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+/gu;

/** @typedef {import('./tokenizer-pattern.js').Part} Part */

/** Joins parts where a rule says so.
 * @param {Part[]} parts @param {(part: Part, before: Part) => boolean} isOne
 * @returns {string[]} */
function joining(parts, isOne) {
  /** @type {string[]} */
  const texts = [];
  for (const [i, part] of parts.entries()) {
    if (i && isOne(part, parts[i - 1])) texts[texts.length - 1] += part.text;
    else texts.push(part.text);
  }
  return texts;
}

/** What becomes of the matches of a pattern.
 * @type {Record<string, (parts: Part[]) => string[]>} */
const BEHAVIORS = {
  Removed: (parts) => parts.filter(({ isMatch }) => !isMatch).map(({ text }) => text),
  Isolated: (parts) => parts.map(({ text }) => text),
  Contiguous: (parts) => joining(parts, (part, before) => part.isMatch === before.isMatch),
  MergedWithPrevious: (parts) => joining(parts, (part, before) => part.isMatch && !before.isMatch),
  MergedWithNext: (parts) => joining(parts, (part, before) => before.isMatch && !part.isMatch),
};
export const BEHAVIOR_NAMES = Object.keys(BEHAVIORS);

/** Cuts each piece.
 * @param {(text: string) => string[]} words
 * @returns {Cut} */
const cutting = (words) => (pieces) =>
  pieces.flatMap(({ text, isFirst }) =>
    words(text)
      .map((word, i) => ({ text: word, isFirst: isFirst && !i }))
      .filter((piece) => piece.text),
  );

/** @param {RegExp} pattern @param {string} behavior @param {boolean} [invert] */
const splitting = (pattern, behavior, invert = false) =>
  cutting((text) =>
    BEHAVIORS[behavior](
      partsBy(text, pattern).map(({ text: part, isMatch }) => ({
        text: part,
        isMatch: isMatch !== invert,
      })),
    ),
  );

/** @param {any} part
 * @returns {Cut} */
function metaspace({ replacement = '▁', prepend_scheme, add_prefix_space = true, split = true }) {
  const scheme = add_prefix_space ? (prepend_scheme ?? 'always') : 'never';
  const cut = splitting(compiled({ String: replacement }), 'MergedWithNext');
  return (pieces) => {
    const texts = pieces.map(({ text, isFirst }) => {
      const blank = text.replaceAll(' ', () => replacement);
      const begins = scheme === 'always' || (scheme === 'first' && isFirst);
      const isMissing = begins && !blank.startsWith(replacement);
      return { text: isMissing ? replacement + blank : blank, isFirst };
    });
    return split ? cut(texts) : texts;
  };
}

/** @type {Record<string, (part: any) => Cut>} */
const PRE_TOKENIZERS = {
  BertPreTokenizer: () =>
    inTurn([splitting(SPACES, 'Removed'), splitting(PUNCTUATION, 'Isolated')]),
  ByteLevel({ add_prefix_space: begins, use_regex: isCut = true }) {
    const cut = splitting(GPT2, 'Isolated');
    const prefix = cutting((text) => [begins && !text.startsWith(' ') ? ` ${text}` : text]);
    const bytes = asBytes();
    return inTurn([prefix, ...(isCut ? [cut] : []), cutting((text) => [bytes(text)])]);
  },
  CharDelimiterSplit: ({ delimiter }) => splitting(compiled({ String: delimiter }), 'Removed'),
  Digits: ({ individual_digits: each }) => splitting(NUMERIC, each ? 'Isolated' : 'Contiguous'),
  FixedLength: ({ length }) =>
    cutting((text) => {
      const characters = Array.from(text);
      return Array.from({ length: Math.ceil(characters.length / length) }, (_, i) =>
        characters.slice(i * length, (i + 1) * length).join(''),
      );
    }),
  Metaspace: metaspace,
  Punctuation: ({ behavior = 'Isolated' }) => splitting(PUNCTUATION, behavior),
  Sequence: ({ pretokenizers }) => inTurn(pretokenizers.map(preTokenizerOf)),
  Split: ({ pattern, behavior, invert }) => splitting(compiled(pattern), behavior, invert),
  Whitespace: () => splitting(WORDS, 'Removed', true),
  WhitespaceSplit: () => splitting(SPACES, 'Removed'),
};

/** @param {Cut[]} cuts
 * @returns {Cut} */
const inTurn = (cuts) => (pieces) => cuts.reduce((now, cut) => cut(now), pieces);

/** Of a part of a file that was checked; null cuts nothing.
 * @type {(part: unknown) => Cut} */
export const preTokenizerOf = (/** @type {any} */ part) =>
  part
    ? PRE_TOKENIZERS[String(part.type)](fieldsOf(part))
    : (/** @type {Piece[]} */ pieces) => pieces;
