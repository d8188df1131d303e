// What a text calls the rows of a matrix: by words before a row, or by a remark behind it.

import { lineBefore } from '../read/prose.js';

/** @typedef {import('./memory.js').Entry} Entry */

const QUOTED = /["“`']\s*([^"”`'\n]{1,30}?)\s*["”`']/;
/** What begins a line and names what it is about: "cat": mean = 0.5 */
const BEFORE = /^[\s\-*>#•|]*((?:["“`'][^"”`'\n]{1,30}["”`']|[\p{L}\p{N}_ ]{1,30}?)[*_\s]*)[:|]/u;
/** A remark behind a row, up to what it says of it. */
const REMARK = /^[\],;.\s]*(?:#|\/\/|←|<-|%)([^\n→:=]{1,40})/;
/** Characters behind a row. */
const MAX_REMARK = 60;

/** @param {string} words @returns {string} the part in quotes, or the words */
const nameIn = (words) =>
  (QUOTED.exec(words)?.[1] ?? words.match(/[\p{L}\p{N}_]+/gu)?.join(' ') ?? '').toLowerCase();

/** The row of a matrix that the line of another value names; -1 if none.
 * @param {string} text @param {Entry} matrix @param {number} start of the value */
export function rowNamedIn(text, { cells }, start) {
  const [, words] = BEFORE.exec(lineBefore(text, start)) ?? [];
  const name = words && nameIn(words);
  if (!name || !cells || cells.length < 2) return -1;
  return cells.findIndex((row) => {
    const { start: end, text: number } = row[row.length - 1];
    const behind = text.slice(end + number.length, end + number.length + MAX_REMARK);
    const remarks = [lineBefore(text, row[0].start), REMARK.exec(behind)?.[1] ?? ''];
    return remarks.some((remark) => nameIn(remark) === name);
  });
}
