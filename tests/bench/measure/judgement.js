// Whether a bar is met: said only where the rounds themselves are sure of it.

import { summary } from './statistics.js';

/** Where the rounds' ratios lie further apart than so many times, their median says nothing. */
const SPREAD = 2;
/** How often the true median may lie beside the interval. */
const ERROR = 0.01;

/** @typedef {'met' | 'missed' | 'too close' | 'too noisy'} Verdict */

/** The interval that holds the median of what was measured, but for one time in a hundred: from the k-th smallest round
 * to the k-th largest, as few rounds as chance allows on either side, whatever the distribution.
 * @param {readonly number[]} numbers
 * @returns {{ low: number, high: number }} without end where there are too few rounds to know */
export function medianWithin(numbers) {
  const n = numbers.length;
  const sorted = [...numbers].sort((a, b) => a - b);
  /* The chance that at most i of n rounds fall below the true median. */
  let [chance, below] = [2 ** -n, 2 ** -n];
  let k = 0;
  while (2 * below <= ERROR) {
    k += 1;
    chance *= (n - k + 1) / k;
    below += chance;
  }
  if (k === 0) return { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  return { low: sorted[k - 1], high: sorted[n - k] };
}

/** Refuses where the rounds lie too far apart, and where the bar lies within what the median may be.
 * @param {readonly number[]} ratios of each round @param {number} bar that their median must reach
 * @returns {Verdict} */
export function judge(ratios, bar) {
  const { p10, p90 } = summary(ratios);
  if (!(p90 <= SPREAD * p10)) return 'too noisy';
  const { low, high } = medianWithin(ratios);
  if (low >= bar) return 'met';
  return high < bar ? 'missed' : 'too close';
}
