// The models of tokenizer.json: how a word becomes ids. Each computes what `tokenizers` of Hugging Face computes.

import { longestAt, Matcher } from './matching.js';
import { joined } from './merging.js';
import { byteToken } from './token-lists.js';

/** @typedef {(word: string) => number[]} Encode */

const encoder = new TextEncoder();

/** The ids of a text's bytes; null where one has none.
 * @param {string} text @param {Map<string, number>} ids */
function byteIds(text, ids) {
  const tokenIds = Array.from(encoder.encode(text), (byte) => ids.get(byteToken(byte)));
  return tokenIds.includes(undefined) ? null : /** @type {number[]} */ (tokenIds);
}

// ---- BPE ----

/** @param {any} model
 * @returns {Encode} */
function bpe(model) {
  const { unk_token: unknown, fuse_unk: isFused, byte_fallback: isFallback } = model;
  const prefix = model.continuing_subword_prefix ?? '';
  const suffix = model.end_of_word_suffix ?? '';
  /** @type {Map<string, number>} */
  const ids = new Map(Object.entries(model.vocab));
  const pairs = model.merges.map((/** @type {string | string[]} */ merge) =>
    typeof merge === 'string' ? merge.split(' ') : merge,
  );
  const ranks = new Map(
    pairs.map((/** @type {string[]} */ pair, /** @type {number} */ i) => [JSON.stringify(pair), i]),
  );
  const join = (/** @type {string} */ left, /** @type {string} */ right) =>
    left + right.slice(prefix.length);

  /** The tokens that a word begins with.
   * @param {string} word */
  const begun = (word) => {
    /** @type {string[]} */
    const pieces = [];
    let isOpen = false;
    const characters = Array.from(word);
    for (const [i, character] of characters.entries()) {
      const end = i === characters.length - 1 ? suffix : '';
      const token = (i ? prefix : '') + character + end;
      const bytes = isFallback && !ids.has(token) && byteIds(token, ids);
      /* What is unknown stands behind bytes that follow it: so it does in Hugging Face's own. */
      if (bytes) {
        const names = Array.from(encoder.encode(token), byteToken);
        if (isOpen) pieces.splice(-1, 0, ...names);
        else pieces.push(...names);
      } else if (ids.has(token)) {
        pieces.push(token);
        isOpen = false;
      } else if (unknown !== null && unknown !== undefined) {
        if (!isOpen || !isFused) pieces.push(unknown);
        isOpen = true;
      }
    }
    return pieces;
  };

  return (word) => {
    const whole = model.ignore_merges ? ids.get(word) : undefined;
    if (whole !== undefined) return [whole];
    const rankOf = (/** @type {string} */ left, /** @type {string} */ right) =>
      ranks.get(JSON.stringify([left, right]));
    return joined(begun(word), rankOf, { join }).map(
      (token) => /** @type {number} */ (ids.get(token)),
    );
  };
}

// ---- WordPiece ----

/** @param {any} model
 * @returns {Encode} */
function wordPiece(model) {
  const {
    unk_token: unknown,
    continuing_subword_prefix: prefix,
    max_input_chars_per_word: most = 100,
  } = model;
  /** @type {Map<string, number>} */
  const ids = new Map(Object.entries(model.vocab));
  const first = new Matcher(ids.keys(), true);
  const later = new Matcher(
    Array.from(ids.keys())
      .filter((token) => token.startsWith(prefix))
      .map((token) => token.slice(prefix.length)),
    true,
  );
  const none = [/** @type {number} */ (ids.get(unknown))];
  return (word) => {
    if (Array.from(word).length > most) return none;
    const begins = longestAt(first, word);
    const continues = longestAt(later, word);
    /** @type {number[]} */
    const tokenIds = [];
    for (let position = 0; position < word.length; ) {
      const length = (position ? continues : begins)[position];
      if (!length) return none;
      const piece = word.slice(position, position + length);
      tokenIds.push(/** @type {number} */ (ids.get(position ? prefix + piece : piece)));
      position += length;
    }
    return tokenIds;
  };
}

// ---- Unigram ----

/** What is no piece costs so much more than the piece that costs most. */
const UNKNOWN_PENALTY = 10;

/** @param {any} model
 * @returns {Encode} */
function unigram(model) {
  const { vocab, unk_id: unknown, byte_fallback: isFallback } = model;
  const ids = new Map(
    vocab.map((/** @type {[string, number]} */ [piece], /** @type {number} */ id) => [piece, id]),
  );
  const matcher = new Matcher(ids.keys());
  const scores = vocab.map((/** @type {[string, number]} */ [, score]) => score);
  const worst =
    scores.reduce((/** @type {number} */ a, /** @type {number} */ b) => Math.min(a, b), Infinity) -
    UNKNOWN_PENALTY;

  /** Of all ways to cut a word, where each piece of the best begins, and whether it is one; null where the best way to
   * some place has a piece that is unknown, and nothing stands for that.
   * @param {string} word */
  const paths = (word) => {
    const totals = new Float64Array(word.length + 1);
    const begins = new Int32Array(word.length + 1).fill(-1);
    const isPiece = new Uint8Array(word.length + 1);
    let state = 0;
    for (let end = 1; end <= word.length; end++) {
      state = matcher.after(state, word.charCodeAt(end - 1));
      const isPair = end < word.length && /[\ud800-\udbff]/.test(word[end - 1]);
      if (isPair) continue;
      const single = end - (/[\udc00-\udfff]/.test(word[end - 1]) ? 2 : 1);
      let isSingle = false;
      for (const { word: id, length } of matcher.ending(state)) {
        isSingle ||= end - length === single;
        const total = totals[end - length] + scores[id];
        if (begins[end] >= 0 && total <= totals[end]) continue;
        totals[end] = total;
        begins[end] = end - length;
        isPiece[end] = 1;
      }
      const total = totals[single] + worst;
      if (isSingle || (begins[end] >= 0 && total <= totals[end])) continue;
      if (typeof unknown !== 'number') return null;
      totals[end] = total;
      begins[end] = single;
      isPiece[end] = 0;
    }
    return { begins, isPiece };
  };

  /** @param {string} piece
   * @returns {number[]} */
  const idsOf = (piece) => {
    const id = ids.get(piece);
    return id === undefined ? (isFallback && byteIds(piece, ids)) || [unknown] : [id];
  };

  return (word) => {
    const best = paths(word);
    if (!best) return [unknown];
    const { begins, isPiece } = best;
    /** @type {string[]} */
    const pieces = [];
    let wasKnown = true;
    for (let end = word.length; end > 0; end = begins[end]) {
      const piece = word.slice(begins[end], end);
      /* The piece for what is unknown counts as such. */
      const isKnown = isPiece[end] === 1 && ids.get(piece) !== unknown;
      if (!isKnown && !wasKnown) pieces.push(piece + pieces.pop());
      else pieces.push(piece);
      wasKnown = isKnown;
    }
    return pieces.reverse().flatMap(idsOf);
  };
}

// ---- Whole words ----

/** @param {any} model
 * @returns {Encode} */
function wordLevel({ vocab, unk_token: unknown }) {
  const ids = new Map(Object.entries(vocab));
  return (word) => [ids.get(word) ?? ids.get(unknown)];
}

/** @type {Record<string, (model: any) => Encode>} */
const MODELS = { BPE: bpe, WordPiece: wordPiece, Unigram: unigram, WordLevel: wordLevel };

/** As many words as are remembered, and how long one may be. */
const MAX_CACHED_WORDS = 10_000;
const MAX_CACHED_LENGTH = 256;

/** @param {{ type: string }} model of a file that was checked
 * @returns {Encode} a word's ids; undefined among them where the vocabulary has no token for what it lacks */
export function modelOf(model) {
  const encode = MODELS[model.type](model);
  /** @type {Map<string, number[]>} */
  const cached = new Map();
  return (word) => {
    const before = cached.get(word);
    if (before) return before;
    const ids = encode(word);
    if (cached.size === MAX_CACHED_WORDS) cached.clear();
    if (word.length < MAX_CACHED_LENGTH) cached.set(word, ids);
    return ids;
  };
}
