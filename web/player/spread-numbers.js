// What is measured of a thousand scores: pure.

/** Where the histogram ends: no score lies beyond, of the longest rows either. */
export const EDGE = 64;

/** Scores that share one softmax. */
export const GROUP = 8;

/** How far numbers lie from zero, as the root of the mean of their squares. @param {number[]} numbers */
export const widthOf = (numbers) =>
  Math.sqrt(numbers.reduce((sum, x) => sum + x * x, 0) / numbers.length);

/** What softmax makes of eight scores, the largest first: the mean of all eights. @param {number[]} scores */
export function sharesOf(scores) {
  const mean = new Array(GROUP).fill(0);
  const groups = scores.length / GROUP;
  for (let g = 0; g < groups; g++) {
    const row = scores.slice(g * GROUP, (g + 1) * GROUP).sort((a, b) => b - a);
    const powers = row.map((score) => Math.exp(score - row[0]));
    const sum = powers.reduce((all, x) => all + x, 0);
    for (const [i, power] of powers.entries()) mean[i] += power / sum / groups;
  }
  return mean;
}
