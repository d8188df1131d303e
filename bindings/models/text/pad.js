// Between ragged lists of ids, which models here take, and padded ones with an attention mask, which others give.

import { checkArray, checkInt32, checkOptions, checkWord } from '../../js/base/errors.js';
import { isList } from '../../js/base/values.js';
import { rangeError, typeError } from './texts.js';

/** Sequences of one length.
 * @typedef {object} Padded
 * @property {number[][]} ids the sequences, filled up to the longest
 * @property {number[][]} mask 1 for a token, 0 for padding */

/** @typedef {object} PadOptions
 * @property {number} [value] the id that fills the sequences up, 0 by default
 * @property {'right' | 'left'} [side] right by default */

const SIDES = ['right', 'left'];

/** @param {string} where @param {unknown} lists
 * @returns {number[][]} copies */
function checkLists(where, lists) {
  checkArray(where, lists);
  return Array.from(lists, (list, i) => {
    if (!isList(list)) throw typeError('ids', { where: `${where}[${i}]`, given: list });
    return Array.from(list, (id, j) => checkInt32(`${where}[${i}][${j}]`, id));
  });
}

/** Fills sequences of ids up to the longest, with the attention mask that says what is padding.
 * @param {readonly ArrayLike<number>[]} ids @param {PadOptions} [options]
 * @returns {Padded}
 * @example
 * import { pad } from 'glassformer/text';
 *
 * pad([[5, 6, 7], [8]]).ids; // = [[5, 6, 7], [8, 0, 0]]
 * pad([[5, 6, 7], [8]], { side: 'left' }).mask; // = [[1, 1, 1], [0, 0, 1]] */
export function pad(ids, options = {}) {
  const rows = checkLists('pad: ids', ids);
  checkOptions('pad', options, ['value', 'side']);
  const { value = 0, side = 'right' } = options;
  checkInt32('pad: value', value);
  checkWord('pad: side', side, SIDES);
  const longest = rows.reduce((most, { length }) => Math.max(most, length), 0);
  /** @param {number[]} row @param {number} filler */
  const filled = (row, filler) => {
    const rest = Array(longest - row.length).fill(filler);
    return side === 'left' ? [...rest, ...row] : [...row, ...rest];
  };
  return {
    ids: rows.map((row) => filled(row, value)),
    mask: rows.map((row) => filled(Array(row.length).fill(1), 0)),
  };
}

/** The tokens of padded sequences, as `model.forward` takes them: a model here pads by itself, and gives each sequence the
 * bits that it has alone.
 * @param {readonly ArrayLike<number>[]} ids
 * @param {readonly ArrayLike<number>[]} mask the attention mask: 1 for a token, 0 for padding before or behind all tokens
 * @returns {number[][]}
 * @example
 * import { unpad } from 'glassformer/text';
 *
 * unpad([[5, 6, 7], [0, 0, 8]], [[1, 1, 1], [0, 0, 1]]); // = [[5, 6, 7], [8]] */
export function unpad(ids, mask) {
  const rows = checkLists('unpad: ids', ids);
  const masks = checkLists('unpad: mask', mask);
  if (masks.length !== rows.length) {
    throw rangeError('sequences', { where: 'unpad: mask', n: rows.length, given: masks.length });
  }
  return rows.map((row, i) => {
    const where = `unpad: mask[${i}]`;
    const flags = masks[i];
    if (flags.length !== row.length) {
      throw rangeError('tokensOf', { where, n: row.length, given: flags.length });
    }
    const [from, to] = [flags.indexOf(1), flags.lastIndexOf(1) + 1];
    if (from < 0 || flags.some((one, j) => one !== Number(j >= from && j < to))) {
      throw rangeError('maskOfTokens', { where, mask: flags.slice(0, 20).join() });
    }
    return row.slice(from, to);
  });
}
