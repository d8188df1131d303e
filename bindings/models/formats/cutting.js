// How a tokenizer cuts a text, step by step, to be looked at: what is joined or found, in which order, and why.

import { joined } from './merging.js';
import { byteCharacters, byteToken, idsByToken, keepsWords, wordsBy } from './token-lists.js';

/** @typedef {import('./token-lists.js').TokenLists} TokenLists */

/** What a word is after a step.
 * @typedef {object} CutStep
 * @property {string[]} pieces
 * @property {number} at which of them the step made or found
 * @property {number} why merges: the place of the pair in the list; scores, path: what the pieces that are found add up to, of
 *   scores the joined piece's own; longest: how many longer beginnings are no tokens */

/** A word, from its parts to its tokens.
 * @typedef {object} CutWord
 * @property {string} text
 * @property {string[]} parts that it begins with
 * @property {CutStep[]} steps
 * @property {{ token: string, id: number }[]} tokens */

/** merges: pairs are joined in the order of a list; scores: the pair that makes the best token is joined; longest: the
 * longest beginning that is a token is taken; path: of all ways to cut the word, the one whose scores add up to most.
 * @typedef {'merges' | 'scores' | 'longest' | 'path'} Way */

/** @typedef {object} Cutter
 * @property {Way} way
 * @property {number} known how many merges, or tokens, it knows
 * @property {(text: string) => CutWord[]} cut */

const encoder = new TextEncoder();
const BLANK = '▁';

/** Joins parts, taking each step down.
 * @param {string[]} parts @param {(left: string, right: string) => number | undefined} rankOf
 * @param {(rank: number) => number} whyOf */
function joining(parts, rankOf, whyOf) {
  /** @type {CutStep[]} */
  const steps = [];
  const pieces = joined(parts, rankOf, {
    onJoin: (now, index, rank) => steps.push({ pieces: now, at: index, why: whyOf(rank) }),
  });
  return { steps, pieces };
}

/** @param {string[]} pieces @param {(piece: string) => number[]} idsOf @param {(id: number) => string} nameOf */
const tokensOf = (pieces, idsOf, nameOf) =>
  pieces.flatMap(idsOf).map((id) => ({ token: nameOf(id), id }));

/** The order of pairs, by "left right".
 * @param {readonly (string | readonly string[])[]} merges */
const ranksOf = (merges) =>
  new Map(merges.map((pair, rank) => [typeof pair === 'string' ? pair : pair.join(' '), rank]));

/** @param {Map<string, number>} ids @param {readonly (string | readonly string[])[]} merges
 * @param {(text: string) => string[]} words @param {(word: string) => string[]} partsOf @param {boolean} [whole] a word that
 *   is a token is not cut
 * @returns {Cutter} */
function byMerges(ids, merges, words, partsOf, whole = false) {
  const ranks = ranksOf(merges);
  const names = new Map([...ids].map(([token, id]) => [id, token]));
  /* Merges may make what is no token; its characters are, or nothing is. */
  const idsOf = (/** @type {string} */ piece) =>
    [ids.get(piece) ?? Array.from(piece, (character) => ids.get(character))]
      .flat()
      .filter((id) => id !== undefined);
  return {
    way: 'merges',
    known: ranks.size,
    cut: (text) =>
      words(text).map((word) => {
        const characters = partsOf(word);
        const all = characters.join('');
        const parts = whole && ids.has(all) ? [all] : characters;
        const { steps, pieces } = joining(
          parts,
          (left, right) => ranks.get(`${left} ${right}`),
          (rank) => rank + 1,
        );
        const tokens = tokensOf(pieces, idsOf, (id) => String(names.get(id)));
        return { text: word, parts, steps, tokens };
      }),
  };
}

/** @param {string} word */
const bytesOf = (word) => {
  const characters = byteCharacters();
  return Array.from(encoder.encode(word), (byte) => characters[byte]);
};

/** Of a tokenizer made of lists.
 * @param {TokenLists} lists
 * @returns {Cutter} */
export function cutterOfLists(lists) {
  const { model, tokens, merges = [], pre = 'gpt-2', scores = [], ...more } = lists;
  const ids = idsByToken(tokens);
  if (model === 'gpt2') {
    return byMerges(ids, merges, wordsBy(pre), bytesOf, keepsWords(lists));
  }
  const { addSpace = true, unknown } = more;
  const idsOf = (/** @type {string} */ piece) =>
    [ids.get(piece) ?? Array.from(encoder.encode(piece), (byte) => ids.get(byteToken(byte)))]
      .flat()
      .map((id) => id ?? unknown)
      .filter((id) => id !== undefined);
  return {
    way: 'scores',
    known: tokens.length,
    cut(text) {
      const blank = (addSpace ? ` ${text}` : text).replaceAll(' ', BLANK);
      const parts = Array.from(blank);
      const { steps, pieces } = joining(
        parts,
        (left, right) => {
          const id = ids.get(left + right);
          return id === undefined ? undefined : -scores[id];
        },
        (rank) => -rank,
      );
      return [{ text: blank, parts, steps, tokens: tokensOf(pieces, idsOf, (id) => tokens[id]) }];
    },
  };
}

/** @typedef {{ type?: string, vocab?: any, merges?: (string | string[])[], scores?: number[], unk_id?: number | null,
 *   unk_token?: string | null, continuing_subword_prefix?: string | null, max_input_chars_per_word?: number,
 *   end_of_word_suffix?: string | null, ignore_merges?: boolean }} FileModel */

/** All parts of a normalizer or pre-tokenizer, those of a Sequence one by one.
 * @param {any} part
 * @returns {any[]} */
const partsIn = (part) =>
  part ? [part, ...(part.pretokenizers ?? part.normalizers ?? []).flatMap(partsIn)] : [];

/** WordPiece: the longest beginning that is a token, then the longest of the rest.
 * @param {FileModel} model @param {boolean} isLower
 * @returns {Cutter} */
function byLongest({ vocab, continuing_subword_prefix: prefix, unk_token: unknown }, isLower) {
  const before = prefix ?? '##';
  const ids = new Map(Object.entries(/** @type {Record<string, number>} */ (vocab)));
  const wordOf = (/** @type {string} */ word) => {
    /** @type {CutStep[]} */
    const steps = [];
    /** @type {string[]} */
    const matches = [];
    for (let from = 0; from < word.length; ) {
      const pieceTo = (/** @type {number} */ end) =>
        (from > 0 ? before : '') + word.slice(from, end);
      let end = word.length;
      while (end > from && !ids.has(pieceTo(end))) end--;
      if (end === from) {
        const token = unknown ?? '[UNK]';
        return { text: word, parts: [word], steps, tokens: [{ token, id: ids.get(token) ?? 0 }] };
      }
      matches.push(pieceTo(end));
      const rest = word.slice(end);
      const pieces = rest ? [...matches, rest] : [...matches];
      steps.push({ pieces, at: matches.length - 1, why: word.length - end });
      from = end;
    }
    const tokens = matches.map((token) => ({ token, id: /** @type {number} */ (ids.get(token)) }));
    return { text: word, parts: [word], steps, tokens };
  };
  return {
    way: 'longest',
    known: ids.size,
    cut(text) {
      const plain = isLower
        ? text
            .toLowerCase()
            .normalize('NFD')
            .replace(/\p{Mn}/gu, '')
        : text;
      return (plain.match(/[\p{L}\p{N}\p{M}]+|[^\s\p{L}\p{N}\p{M}]/gu) ?? []).map(wordOf);
    },
  };
}

/** Unigram: of all ways the one whose scores, which are log-probabilities, add up to most.
 * @param {FileModel} model
 * @returns {Cutter} */
function byPath({ vocab, unk_id: unknown }) {
  const list = /** @type {[string, number][]} */ (vocab);
  const ids = idsByToken(list.map(([token]) => token));
  const longest = list.reduce((most, [{ length }]) => Math.max(most, length), 0);
  /* What no token is costs more than any that is. */
  const worst = list.reduce((least, [, score]) => Math.min(least, score), 0) - 10;
  const wordOf = (/** @type {string} */ word) => {
    const characters = Array.from(word);
    /** @type {{ total: number, from: number }[]} the best way to each place */
    const best = [{ total: 0, from: 0 }];
    const pieceOf = (/** @type {number} */ from, /** @type {number} */ end) =>
      characters.slice(from, end).join('');
    for (let end = 1; end <= characters.length; end++) {
      best[end] = { total: Number.NEGATIVE_INFINITY, from: end - 1 };
      for (let from = end - 1; from >= 0 && end - from <= longest; from--) {
        const id = ids.get(pieceOf(from, end));
        if (id === undefined && end - from > 1) continue;
        const total = best[from].total + (id === undefined ? worst : list[id][1]);
        if (total > best[end].total) best[end] = { total, from };
      }
    }
    const pathTo = (/** @type {number} */ end) => {
      /** @type {string[]} */
      const pieces = [];
      for (let position = end; position > 0; position = best[position].from)
        pieces.unshift(pieceOf(best[position].from, position));
      return pieces;
    };
    const steps = characters.map((_, i) => {
      const path = pathTo(i + 1);
      const rest = pieceOf(i + 1, characters.length);
      const pieces = rest ? [...path, rest] : path;
      return { pieces, at: path.length - 1, why: best[i + 1].total };
    });
    const tokens = pathTo(characters.length).map((token) => ({
      token,
      id: ids.get(token) ?? unknown ?? 0,
    }));
    return { text: word, parts: characters, steps, tokens };
  };
  return {
    way: 'path',
    known: list.length,
    cut: (text) => (text.match(/\S+/g) ?? []).map((word) => wordOf(BLANK + word)),
  };
}

/** Of tokenizer.json, parsed; null of a kind that has no steps, or cuts in a way that is not followed here.
 * @param {any} tokenizer
 * @returns {Cutter | null} */
export function cutterOfFile({ model, normalizer, pre_tokenizer: words }) {
  const type = model.type ?? (model.merges ? 'BPE' : Array.isArray(model.vocab) ? 'Unigram' : '');
  const isLower = partsIn(normalizer).some((part) => part.lowercase || part.type === 'Lowercase');
  if (type === 'WordPiece') return byLongest(model, isLower);
  if (type === 'Unigram') return byPath(model);
  if (type !== 'BPE') return null;
  const ids = new Map(Object.entries(/** @type {Record<string, number>} */ (model.vocab)));
  const bytes = partsIn(words).some(({ type: kind }) => kind === 'ByteLevel');
  const end = model.end_of_word_suffix ?? '';
  const plain = (/** @type {string} */ word) =>
    Array.from(word, (c, i) => (i === Array.from(word).length - 1 ? c + end : c));
  const cut = bytes ? wordsBy('gpt-2') : (/** @type {string} */ text) => text.match(/\S+/g) ?? [];
  return byMerges(ids, model.merges ?? [], cut, bytes ? bytesOf : plain, model.ignore_merges);
}
