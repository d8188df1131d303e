// The largest among many numbers.

/**
 * The places of the largest numbers, the largest first; of equal ones the first comes first.
 * @param {ArrayLike<number>} values
 * @param {number} most
 */
export function largestAmong(values, most) {
  /** @type {number[]} */
  const best = [];
  let least = Number.NEGATIVE_INFINITY;
  for (let place = 0; place < values.length; place++) {
    const value = values[place];
    if (best.length === most && !(value > least)) continue;
    const rank = best.findIndex((other) => value > values[other]);
    best.splice(rank < 0 ? best.length : rank, 0, place);
    if (best.length > most) best.pop();
    least = values[best[best.length - 1]];
  }
  return best;
}
