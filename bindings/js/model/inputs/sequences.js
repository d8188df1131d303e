// Sequences on their way into a model: ragged lists of ids (or of vectors), checked and padded.

import { checkInteger, checkNumber, rangeError, typeError } from '../../base/errors.js';
import { isList } from '../../base/values.js';
import { valuesOf } from '../../tape/tensor.js';

/** @typedef {import('../../tape/tensor.js').Tensor} Tensor */

/** The label that the loss ignores: GF_IGNORE. */
export const IGNORE = -100;

/**
 * @typedef {object} Sequences
 * @property {number[][]} rows one per sequence, its vectors one behind the other
 * @property {number[]} lengths
 * @property {number} longest
 * @property {boolean} ragged
 */

/** What an item is; with a width, a vector of so many numbers.
 * @typedef {{ maxLength: number, check: (where: string, item: unknown) => void, width?: number }} Form */

/** Refuses what is no list, or empty.
 * @param {string} where @param {unknown} list @param {Form} form
 * @returns {asserts list is ArrayLike<unknown>} */
function checkFilled(where, list, { width = 0 }) {
  if (isList(list) && list.length) return;
  throw typeError(width ? 'vectors' : 'ids', { where, width, given: list });
}

/** The items of one sequence. No list is gone through before its length is known to be right.
 * @param {string} where @param {unknown} list @param {Form} form
 * @returns {any[]} */
function readItems(where, list, form) {
  checkFilled(where, list, form);
  const { maxLength, check } = form;
  if (list.length > maxLength) {
    throw rangeError('tooLong', { where, most: maxLength, given: list.length });
  }
  const items = Array.from(list);
  for (const [i, item] of items.entries()) check(`${where}[${i}]`, item);
  return items;
}

/** A batch, as nested lists; a single sequence is a batch of one.
 * @param {string} where @param {unknown} list @param {Form} form
 * @returns {Sequences} */
export function readSequences(where, list, form) {
  checkFilled(where, list, form);
  const { width } = form;
  const isItem = width ? isList(list[0]) && !isList(list[0][0]) : !isList(list[0]);
  /** @type {number[][]} */
  const rows = [];
  const lengths = [];
  let longest = 0;
  /* A hole ends the list. */
  for (let i = 0; i < (isItem ? 1 : list.length); i++) {
    const items = isItem
      ? readItems(where, list, form)
      : readItems(`${where}[${i}]`, list[i], form);
    rows.push(items.flatMap((item) => (width ? Array.from(/** @type {any} */ (item)) : item)));
    lengths.push(items.length);
    longest = Math.max(longest, items.length);
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
