// What is said of many measurements of one thing.

/** @param {readonly number[]} sorted @param {number} share 0 to 1 */
function quantile(sorted, share) {
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
}

/** @param {readonly number[]} numbers */
export function summary(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return { p10: quantile(sorted, 0.1), median: quantile(sorted, 0.5), p90: quantile(sorted, 0.9) };
}
