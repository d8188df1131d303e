// Stock answers: numbers that nobody computed, and that make what follows from them trivial.

/** @param {readonly number[]} numbers */
const isAlike = (numbers) => numbers.every((x) => x === numbers[0]);

/** Whether each row has one number throughout, as equal weights have, beside zeros; and half of the rows more than one of it.
 * @param {readonly (readonly number[])[]} rows */
function hasEqualRows(rows) {
  const shown = rows.map((row) => row.filter(Boolean));
  const isWide = (/** @type {readonly number[]} */ row) => row.length > 1;
  return shown.every(isAlike) && 2 * shown.filter(isWide).length >= rows.length;
}

/** Whether numbers are all equal, each row in itself perhaps, nothing but 0 and 1, or a copy of others; beside what is masked.
 * @param {readonly (readonly number[])[]} rows as they were written
 * @param {readonly ArrayLike<number>[]} copied numbers of the same shape, given or computed before
 * @param {readonly number[]} offsets of the written numbers among those */
export function isStock(rows, copied, offsets) {
  const numbers = rows.flat();
  const shown = numbers.filter((x) => x !== -Infinity);
  if (shown.length < 2) return false;
  return (
    isAlike(shown) ||
    shown.every((x) => x === 0 || x === 1) ||
    hasEqualRows(rows.map((row) => row.filter((x) => x !== -Infinity))) ||
    copied.some((source) => offsets.every((offset, i) => source[offset] === numbers[i]))
  );
}
