// Two directions that span the plane on which rows are projected.

/** @typedef {readonly [number[], number[]]} Basis two directions, each of length 1, at right angles */

/** @param {readonly number[]} a @param {readonly number[]} b */
export const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);

/**
 * @param {number} width of the rows
 * @param {readonly number[]} channels two of them
 * @returns {Basis}
 */
export function ofChannels(width, [a, b]) {
  const along = (/** @type {number} */ channel) =>
    Array.from({ length: width }, (_, i) => Number(i === channel));
  return [along(a), along(b)];
}

/** Where a row lies in the plane of two directions. @param {Basis} basis @param {readonly number[]} row */
export const placeIn = ([a, b], row) => [dot(row, a), dot(row, b)];

/**
 * The row that lies elsewhere in the plane, and otherwise as before.
 * @param {Basis} basis @param {readonly number[]} row @param {readonly number[]} to
 */
export function movedTo(basis, row, to) {
  const [x, y] = placeIn(basis, row);
  return row.map((value, i) => value + (to[0] - x) * basis[0][i] + (to[1] - y) * basis[1][i]);
}
