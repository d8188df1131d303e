// The ops in float64 on nested arrays, as the formulas say them: what the core is held against.

/** @param {number[][]} a */
export const transpose = (a) => a[0].map((_, j) => a.map((row) => row[j]));

/** @param {number[][]} a @param {number[][]} b */
export const matmul = (a, b) =>
  a.map((row) => b[0].map((_, j) => row.reduce((sum, x, k) => sum + x * b[k][j], 0)));

/** @param {number[]} row */
export function softmaxRow(row) {
  const max = Math.max(...row);
  if (max === Number.NEGATIVE_INFINITY) return row.map(() => 0);
  const terms = row.map((x) => Math.exp(x - max));
  const total = terms.reduce((sum, term) => sum + term, 0);
  return terms.map((term) => term / total);
}

/** One head: q [Tq,D], k [Tk,D], v [Tk,Dv], keep(i, j) tells what is seen. */
export function attention(q, k, v, keep = (_i, _j) => true) {
  const scores = matmul(q, transpose(k));
  const weights = scores.map((row, i) =>
    softmaxRow(
      row.map((s, j) => (keep(i, j) ? s / Math.sqrt(q[0].length) : Number.NEGATIVE_INFINITY)),
    ),
  );
  return { scores, weights, output: matmul(weights, v) };
}

/** Columns that belong to one head. */
export const headOf = (x, heads, h) => {
  const width = x[0].length / heads;
  return x.map((row) => row.slice(h * width, (h + 1) * width));
};

/** Numbers between -1 and 1 that differ from place to place. */
export const numbers = (rows, columns, seed = 1) =>
  Array.from({ length: rows }, (_, i) =>
    Array.from({ length: columns }, (_, j) => Math.sin(seed * 12.9898 + i * 78.233 + j * 37.719)),
  );

/** The largest difference of two nested arrays; Infinity if their shapes differ. */
export function distance(a, b) {
  if (typeof a === 'number' || typeof b === 'number') {
    return a === b ? 0 : Math.abs(a - b);
  }
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  return Math.max(0, ...a.map((row, i) => distance(row, b[i])));
}
