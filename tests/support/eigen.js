// The eigenvectors of a symmetric matrix by orthogonal iteration, in float64: slow, and short enough to be checked by eye.

const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
const times = (matrix, v) => matrix.map((row) => dot(row, v));
const less = (v, part, other) => v.map((x, i) => x - part * other[i]);
const unit = (v) => v.map((x) => x / Math.sqrt(dot(v, v)));

/**
 * The two eigenvectors of the largest eigenvalues, whose first three must differ.
 * @param {number[][]} matrix symmetric, of no negative eigenvalue
 */
export function largestTwo(matrix) {
  let a = unit(matrix.map((_, i) => 1 / (i + 1)));
  let b = unit(matrix.map((_, i) => (i % 2 ? 1 : -1.5)));
  for (let round = 0; round < 5000; round++) {
    a = unit(times(matrix, a));
    const next = times(matrix, b);
    b = unit(less(next, dot(next, a), a));
  }
  return [a, b];
}

/** The products of all pairs of columns. @param {number[][]} rows */
export const gram = (rows) =>
  rows[0].map((_, i) => rows[0].map((_, j) => rows.reduce((sum, row) => sum + row[i] * row[j], 0)));
