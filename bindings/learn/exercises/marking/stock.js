// Stock answers: numbers that nobody computed, and that make what follows from them trivial.

import { agrees } from '../../../js/number/judge.js';

/** Whether many sheets have a number without any arithmetic. @param {number} x */
export const isTrivial = (x) => [0, 1, -Infinity].some((value) => agrees(x, value, 0));

/** Whether numbers are one throughout. @param {readonly number[]} numbers */
export const isAlike = (numbers) => numbers.every((x) => x === numbers[0]);

/** Whether several numbers are one throughout, or one in each row, as equal weights are.
 * @param {readonly (readonly number[])[]} rows as they were written */
export function isStock(rows) {
  const isLong = rows.flat().length > 1 && isAlike(rows.flat());
  return rows.every(isAlike) && (isLong || rows.some(({ length }) => length > 1));
}
