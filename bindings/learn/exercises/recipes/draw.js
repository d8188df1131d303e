// Small numbers for a pencil, from a seed.

import { dice } from '../../../js/base/random.js';

/** The numbers of one problem: the same for a seed and an attempt, in every engine.
 * @typedef {ReturnType<typeof drawing>} Draw */

/** @param {number} seed @param {number} attempt */
export function drawing(seed, attempt) {
  const die = dice(seed, attempt);
  /** @param {number} low @param {number} high both included */
  const integer = (low, high) => low + die(high - low + 1);
  /** @param {number} n @param {() => number} make */
  const row = (n, make) => Array.from({ length: n }, make);
  /** A row or a matrix. @param {readonly number[]} shape @param {() => number} make */
  const nested = ([n, width], make) =>
    width === undefined ? row(n, make) : Array.from({ length: n }, () => row(width, make));
  /** 0 to n - 1 in another order. @param {number} n */
  const permutation = (n) => {
    const order = Array.from({ length: n }, (_, i) => i);
    for (let i = n - 1; i > 0; i--) {
      const j = die(i + 1);
      [order[i], order[j]] = [order[j], order[i]];
    }
    return order;
  };
  return {
    integer,
    /** @param {readonly number[]} shape */
    integers: (shape, low = -2, high = 3) => nested(shape, () => integer(low, high)),
    /** Multiples of a half.
     * @param {readonly number[]} shape */
    halves: (shape, low = -2, high = 2) => nested(shape, () => integer(2 * low, 2 * high) / 2),
    /** Shares above 0 that add up to 1, in tenths.
     * @param {number} n @returns {number[]} */
    shares(n) {
      const cuts = permutation(9)
        .slice(0, n - 1)
        .map((cut) => cut + 1)
        .sort((a, b) => a - b);
      return [...cuts, 10].map((cut, i) => Math.round(cut - (cuts[i - 1] ?? 0)) / 10);
    },
    /** @template T @param {readonly T[]} list */
    pick: (list) => list[die(list.length)],
    permutation,
  };
}
