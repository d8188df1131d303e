// Numbers with a shape, and what can be done with them, in float64: texts are made by programs as exact.

import { meanOf, sumOf } from '../../../js/base/sum.js';

/** @typedef {object} Value
 * @property {0 | 1 | 2} rank a number, a row, rows
 * @property {number[][]} rows */

/** @param {number} x @returns {Value} */
export const numberOf = (x) => ({ rank: 0, rows: [[x]] });

/** @param {Value} value @param {(x: number) => number} of @returns {Value} */
export const each = ({ rank, rows }, of) => ({ rank, rows: rows.map((row) => row.map(of)) });

/** @param {Value} a @param {Value} b */
export const sameShape = (a, b) =>
  a.rank === b.rank && a.rows.length === b.rows.length && a.rows[0].length === b.rows[0].length;

/** A value in the shape of another that holds as many numbers: a column as a row, a matrix of one number as that number.
 * @param {Value} value @param {Value} shape
 * @returns {Value | null} */
export function reshaped(value, shape) {
  if (sameShape(value, shape)) return value;
  const isVector = [value, shape].every(({ rows }) => rows.length === 1 || rows[0].length === 1);
  const numbers = value.rows.flat();
  if (!isVector || numbers.length !== shape.rows.flat().length) return null;
  return { rank: shape.rank, rows: shape.rows.length === 1 ? [numbers] : numbers.map((x) => [x]) };
}

/** @param {Value} a @param {Value} b @param {(x: number, y: number) => number} of
 * @returns {Value | null} */
export function both(a, b, of) {
  if (a.rank === 0) return each(b, (y) => of(a.rows[0][0], y));
  if (b.rank === 0) return each(a, (x) => of(x, b.rows[0][0]));
  if (spreads(b, a)) {
    return {
      rank: a.rank,
      rows: a.rows.map((row, i) => row.map((x, j) => of(x, broadcast(b, i, j)))),
    };
  }
  if (!spreads(a, b)) return null;
  return {
    rank: b.rank,
    rows: b.rows.map((row, i) => row.map((y, j) => of(broadcast(a, i, j), y))),
  };
}

/** Whether a row, or a column, is meant for each row or column of another value. @param {Value} a @param {Value} b */
const spreads = (a, b) =>
  a.rank <= b.rank &&
  [1, b.rows.length].includes(a.rows.length) &&
  [1, b.rows[0].length].includes(a.rows[0].length);

/** @param {Value} value @param {number} i @param {number} j */
const broadcast = ({ rows }, i, j) => {
  const row = rows[rows.length === 1 ? 0 : i];
  return row[row.length === 1 ? 0 : j];
};

/** @param {Value} a @param {Value} b */
export const added = (a, b) => both(a, b, (x, y) => x + y);

/** A row as the diagonal of a matrix. @param {Value} row @returns {Value} */
export const diagonal = ({ rows: [row] }) => ({
  rank: 2,
  rows: row.map((x, i) => row.map((_, j) => (i === j ? x : 0))),
});

/** The squares of what is left of each number without their mean, summed up. @param {number[]} row */
export function squaresOf(row) {
  const middle = meanOf(row);
  return sumOf(row.map((x) => (x - middle) ** 2));
}

/** @param {Value} value @returns {Value} */
export function turned({ rank, rows }) {
  return { rank, rows: rank < 2 ? rows : rows[0].map((_, j) => rows.map((row) => row[j])) };
}

const finite = (/** @type {Value} */ { rows }) => rows.every((row) => row.every(Number.isFinite));

/** The product as people mean it: of numbers, of rows their dot product, of matrices; null if it has none.
 * @param {Value} a @param {Value} b
 * @returns {Value | null} */
export function product(a, b) {
  if (a.rank === 0 || b.rank === 0) return both(a, b, (x, y) => x * y);
  if (!finite(a) || !finite(b)) return null;
  const columns = b.rank === 1 ? b.rows : turned(b).rows;
  if (a.rows[0].length !== columns[0].length) return null;
  const rows = a.rows.map((row) =>
    columns.map((column) => sumOf(row.map((x, k) => x * column[k]))),
  );
  /* A row times a column is a number. */
  const isNumber = a.rank === 1 && rows[0].length === 1;
  if (b.rank === 2 && !isNumber) return { rank: a.rank, rows };
  return a.rank === 1 ? numberOf(rows[0][0]) : { rank: 1, rows: [rows.map(([x]) => x)] };
}

/** Whether a value is a vector that stands upright. @param {Value} value */
export const isColumn = ({ rank, rows }) => rank === 2 && rows.length > 1 && rows[0].length === 1;

/** @param {number[]} row */
function softmaxOf(row) {
  const most = Math.max(...row);
  const powers = row.map((x) => (x === -Infinity ? 0 : Math.exp(x - most)));
  const sum = sumOf(powers);
  return powers.map((power) => (sum ? power / sum : 0));
}

/** @param {Value} value @returns {Value | null} */
export function softmax(value) {
  const { rank, rows } = value;
  if (rank === 0 || rows.some((row) => row.some(Number.isNaN))) return null;
  if (isColumn(value)) return turned(/** @type {Value} */ (softmax(turned(value))));
  return { rank, rows: rows.map(softmaxOf) };
}

/** @param {Value} value @param {number} [epsilon]
 * @returns {Value | null} */
export function layerNorm(value, epsilon = 0) {
  if (value.rank === 0 || !finite(value)) return null;
  if (isColumn(value)) return turned(/** @type {Value} */ (layerNorm(turned(value), epsilon)));
  return normalised(value, (row) => Math.sqrt(squaresOf(row) / row.length + epsilon));
}

/** Each row less its mean, over a divisor. @param {Value} value @param {(row: number[]) => number} divisor
 * @returns {Value} */
export const normalised = ({ rank, rows }, divisor) => ({
  rank,
  rows: rows.map((row) => {
    const [middle, over] = [meanOf(row), divisor(row)];
    return row.map((x) => (x - middle) / over);
  }),
});

/** Later keys hidden. @param {Value} value @returns {Value} */
export const masked = ({ rank, rows }) => ({
  rank,
  rows: rows.map((row, i) => row.map((x, j) => (j > i ? -Infinity : x))),
});
