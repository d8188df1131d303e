// What each token of a vocabulary adds to a text, in bytes: in order, so that tokens that begin alike stand together.

import { turns } from '../../../js/base/turn.js';
import { byteLevelBytes } from '../../formats/token-lists.js';

/** @typedef {import('../../../js/model/model.js').Tokenizer} Tokenizer */

/** lcp: with how many bytes of the token before it begins.
 * @typedef {{ id: number, bytes: Uint8Array, lcp: number }} Piece */

/** By tokenizer, and size of the vocabulary.
 * @type {WeakMap<Tokenizer, Map<number, readonly Piece[]>>} */
const made = new WeakMap();

/** The bytes of a token that is part of a character.
 * @param {string} token as the vocabulary has it @param {(token: string) => Uint8Array} fromLetters */
function partOf(token, fromLetters) {
  const byte = /^<0x([0-9A-F]{2})>$/.exec(token)?.[1];
  return byte ? Uint8Array.of(Number.parseInt(byte, 16)) : fromLetters(token);
}

/** @param {Uint8Array} a @param {Uint8Array} b */
function shared(a, b) {
  let i = 0;
  while (i < a.length && i < b.length && a[i] === b[i]) i++;
  return i;
}

/** In turns: a vocabulary is large.
 * @param {Tokenizer} tokenizer @param {number} vocab
 * @returns {Promise<Piece[]>} */
async function read(tokenizer, vocab) {
  const turn = turns();
  const ids = Array.from({ length: vocab }, (_, id) => id);
  const encoder = new TextEncoder();
  const fromLetters = byteLevelBytes();
  /* The first token of a text may lose a space: each is read behind another one. */
  const anchor = ids.find((id) => /^[!-~]+$/.test(tokenizer.decode([id]))) ?? 0;
  const before = tokenizer.decode([anchor]);
  /** @param {number} id */
  const bytesOf = (id) => {
    const text = tokenizer.decode([anchor, id]);
    if (!text.startsWith(before)) return encoder.encode('');
    const added = text.slice(before.length);
    if (!added.includes('\ufffd')) return encoder.encode(added);
    return partOf(tokenizer.tokens?.([id])[0] ?? '', fromLetters);
  };
  /** By their first bytes, so that no sorting takes long.
   * @type {Piece[][]} */
  const groups = Array.from({ length: 256 }, () => []);
  for (const id of ids) {
    const bytes = bytesOf(id);
    if (bytes.length) groups[bytes[0]].push({ id, bytes, lcp: 0 });
    await turn();
  }
  for (const group of groups) {
    group.sort(({ bytes: a }, { bytes: b }) => {
      const i = shared(a, b);
      return (a[i] ?? -1) - (b[i] ?? -1);
    });
    await turn();
  }
  const pieces = groups.flat();
  for (const [i, piece] of pieces.entries()) {
    if (i) piece.lcp = shared(pieces[i - 1].bytes, piece.bytes);
  }
  return pieces;
}

/** The tokens that have a text.
 * @param {Tokenizer} tokenizer @param {number} vocab
 * @returns {Promise<readonly Piece[]>} */
export async function piecesOf(tokenizer, vocab) {
  const bySize = made.get(tokenizer) ?? new Map();
  made.set(tokenizer, bySize);
  const pieces = bySize.get(vocab) ?? (await read(tokenizer, vocab));
  bySize.set(vocab, pieces);
  return pieces;
}
