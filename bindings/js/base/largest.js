// The largest of several numbers: what most choices come down to.

import { rangeError } from './errors.js';

/** Where the largest of a row of numbers is; of equals the first. A row with NaN has none, and is refused.
 * @param {string} where @param {ArrayLike<number>} row */
export function largestOf(where, row) {
  let best = 0;
  for (let i = 0; i < row.length; i++) {
    if (Number.isNaN(row[i])) throw rangeError('scoreNaN', { where, i });
    if (row[i] > row[best]) best = i;
  }
  return best;
}
