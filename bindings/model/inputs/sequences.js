// Sequences on their way into a model: ragged lists of ids (or of vectors), checked and padded.

import { checkInteger, checkNumber, rangeError, typeError } from '../../base/errors.js';
import { isList } from '../../base/values.js';
import { valuesOf } from '../../tape/tensor.js';

/** @typedef {import('../../tape/tensor.js').Tensor} Tensor */

/** What the loss passes over: GF_IGNORE. */
export const IGNORE = -100;

/**
 * @typedef {object} Sequences
 * @property {number[][]} rows one per sequence, its vectors one behind the other
 * @property {number[]} lengths
 * @property {number} longest
 * @property {boolean} ragged
 */

/** A batch, as nested lists; a single sequence is a batch of one.
 * @param {string} where @param {unknown} given
 * @param {{ maxLength: number, check: (where: string, item: unknown) => void, width?: number }} form
 *   what an item is: with a width, a vector of so many numbers
 * @returns {Sequences} */
export function readSequences(where, given, { maxLength, check, width = 0 }) {
  if (!isList(given) || !given.length) {
    throw typeError(width ? 'vectors' : 'ids', { where, width, given });
  }
  const isItem = width ? isList(given[0]) && !isList(given[0][0]) : !isList(given[0]);
  /** @type {number[][]} */
  const rows = [];
  const lengths = [];
  let longest = 0;
  /* No list is gone through before its length is known to be right, and a hole ends it. */
  for (let i = 0; i < (isItem ? 1 : given.length); i++) {
    const row = isItem ? given : given[i];
    const place = isItem ? where : `${where}[${i}]`;
    if (!isList(row) || !row.length) {
      const told = { where: place, width, given: row };
      throw typeError(width ? 'vectors' : 'ids', told);
    }
    if (row.length > maxLength) {
      throw rangeError('tooLong', { where: place, most: maxLength, given: row.length });
    }
    const items = Array.from(row);
    for (const [j, item] of items.entries()) check(`${place}[${j}]`, item);
    const numbers = width
      ? items.flatMap((vector) => Array.from(/** @type {any} */ (vector)))
      : items;
    rows.push(/** @type {number[]} */ (numbers));
    lengths.push(row.length);
    longest = Math.max(longest, row.length);
  }
  return { rows, lengths, longest, ragged: lengths.some((n) => n < longest) };
}

/** @param {number} size of the vocabulary
 * @returns {(where: string, id: unknown) => void} */
export const checkId = (size) => (where, id) => {
  checkInteger(where, id, 0, size - 1);
};

/** @param {number} size of the vocabulary
 * @returns {(where: string, id: unknown) => void} */
export const checkLabel = (size) => (where, id) => {
  if (id !== IGNORE) checkInteger(where, id, 0, size - 1);
};

/** @param {number} width
 * @returns {(where: string, vector: unknown) => void} */
export const checkVector = (width) => (where, vector) => {
  if (!isList(vector) || vector.length !== width) {
    throw rangeError('vector', { where, width, given: vector });
  }
  for (let i = 0; i < width; i++) {
    if (typeof vector[i] !== 'number') checkNumber(`${where}[${i}]`, vector[i]);
  }
};

/** Writes the rows into a leaf whose rows are as long or longer.
 * @param {Tensor} leaf @param {Sequences} sequences @param {number} pad */
export function writeSequences(leaf, { rows }, pad) {
  const data = valuesOf(leaf);
  const step = leaf.size / leaf.shape[0];
  data.fill(pad);
  for (const [i, row] of rows.entries()) data.set(row, i * step);
}
