// Stock answers: numbers that nobody computed, and that make what follows from them trivial.

import { agrees } from '../../../js/number/judge.js';

/** Whether many sheets have a number without any arithmetic. @param {number} x */
export const isTrivial = (x) => [0, 1, -Infinity].some((value) => agrees(x, value, 0));

/** Whether numbers are one throughout. @param {readonly number[]} numbers */
export const isAlike = (numbers) => numbers.every((x) => x === numbers[0]);

/** Whether each row has one number throughout, as equal weights have, beside zeros; and so many of the rows more than one of it.
 * @param {readonly (readonly number[])[]} rows @param {number} least */
function hasEqualRows(rows, least) {
  const shown = rows.map((row) => row.filter(Boolean));
  const isWide = (/** @type {readonly number[]} */ row) => row.length > 1;
  return shown.every(isAlike) && shown.filter(isWide).length >= least;
}

/** Whether numbers are all equal, each row in itself perhaps, nothing but 0 and 1, or a copy of others; beside what is masked.
 * @param {readonly (readonly number[])[]} rows as they were written
 * @param {readonly ArrayLike<number>[]} copied numbers of the same shape, given or computed before
 * @param {readonly number[]} offsets of the written numbers among those
 * @param {boolean} isComputed whether one of them is right that needs arithmetic: equal rows may be chance then */
export function isStock(rows, copied, offsets, isComputed) {
  const numbers = rows.flat();
  const shown = numbers.filter((x) => x !== -Infinity);
  if (shown.length < 2) return false;
  const telling = shown.filter((x) => !isTrivial(x));
  return (
    isAlike(isComputed ? shown : telling) ||
    !telling.length ||
    hasEqualRows(
      rows.map((row) => row.filter((x) => x !== -Infinity)),
      isComputed ? rows.length / 2 : 1,
    ) ||
    copied.some((source) => offsets.every((offset, i) => agrees(numbers[i], source[offset], 0)))
  );
}
