// The largest number of a row, where a learner who computes by hand finds the same.

/** Numbers this near are equal but for their roundings. */
const TIE = 1e-5;

/** The place of the largest number; none where two are as large.
 * @param {readonly number[]} row */
export function best(row) {
  const [first, second] = [...row].sort((a, b) => b - a);
  return first - second > TIE ? row.indexOf(first) : NaN;
}
