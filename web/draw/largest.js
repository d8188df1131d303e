// The largest of many numbers, as of a row as long as a vocabulary.

/**
 * The places of the largest of so many numbers, the largest first; of equal ones the first comes first.
 * @param {number} count
 * @param {(place: number) => number} valueAt
 * @param {number} most
 */
export function largestAmong(count, valueAt, most) {
  /** @type {number[]} */
  const best = [];
  for (let place = 0; place < count; place++) {
    const value = valueAt(place);
    if (best.length === most && !(value > valueAt(best[most - 1]))) continue;
    const at = best.findIndex((other) => value > valueAt(other));
    best.splice(at < 0 ? best.length : at, 0, place);
    if (best.length > most) best.pop();
  }
  return best;
}
