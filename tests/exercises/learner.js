// Simulated learners: how somebody rounds, and writes numbers down.

import { hash } from '../../bindings/js/base/random.js';
import { each } from './by-hand.js';

/** A list of random numbers that can be repeated. @param {...number} words */
export function chance(...words) {
  let k = 0;
  /** @param {number} n @returns {number} an integer below n */
  const below = (n) => Math.floor((hash(...words, k++) / 2 ** 32) * n);
  return {
    below,
    /** @template T @param {readonly T[]} list @returns {T} */
    pick: (list) => list[below(list.length)],
    /** @template T @param {readonly T[]} list @returns {T[]} */
    shuffled: (list) =>
      list
        .map((one) => ({ one, rank: hash(...words, k++) }))
        .sort((a, b) => a.rank - b.rank)
        .map(({ one }) => one),
  };
}

/** Rounds to decimals, halves up or to the even neighbour; what is a hair from a half is one.
 * @param {number} x @param {number} digits @param {boolean} even */
export function rounded(x, digits, even) {
  if (!Number.isFinite(x)) return x;
  const scaled = Math.abs(x) * 10 ** digits;
  const floor = Math.floor(scaled);
  const rest = scaled - floor;
  const isHalf = Math.abs(rest - 0.5) < 1e-9 * Math.max(1, scaled);
  const up = isHalf ? !even || floor % 2 === 1 : rest > 0.5;
  return (Math.sign(x) * (floor + (up ? 1 : 0))) / 10 ** digits || 0;
}

/** The same by significant digits.
 * @param {number} x @param {number} digits @param {boolean} even */
export function significant(x, digits, even) {
  if (!Number.isFinite(x) || x === 0) return x;
  const place = digits - 1 - Math.floor(Math.log10(Math.abs(x)) + 1e-12);
  return place >= 0 ? rounded(x, place, even) : rounded(x * 10 ** place, 0, even) * 10 ** -place;
}

/** A number as a fraction a/b with b up to 64, or null.
 * @param {number} x */
export function fractionOf(x) {
  for (let b = 1; b <= 64; b++) {
    const a = Math.round(x * b);
    if (Math.abs(x * b - a) < 1e-9 && Math.abs(a) < 1e4) return b === 1 ? `${a}` : `${a}/${b}`;
  }
  return null;
}

/** A number as text, with so many decimals at most; null for all of them.
 * @param {number} x @param {number | null} digits @param {ReturnType<typeof chance>} random */
export function written(x, digits, random) {
  if (x === -Infinity) return random.pick(['−∞', '-∞', '-inf', '−infinity']);
  const plain = digits === null ? String(x) : x.toFixed(digits);
  const text = random.below(2) ? plain.replace('-', '−') : plain;
  return random.below(2) ? text.replace('.', ',') : text;
}

/** How one learner works.
 * @typedef {object} Habits
 * @property {number | null} digits decimals, or significant digits, that are kept in each step; null: all of them
 * @property {boolean} [bySignificance] digits are significant ones
 * @property {boolean} even halves go to the even neighbour
 * @property {boolean} notes whether numbers on the way are rounded, too
 * @property {boolean} shifted whether the largest score is taken off before powers of e
 * @property {boolean} squaresFirst whether a variance is the mean square less the squared mean
 * @property {boolean} fractions whether a number is written as a fraction where it is one */

/** @param {Habits} habits @returns {(x: number) => number} */
export function roundingOf({ digits, bySignificance, even }) {
  if (digits === null) return (x) => x;
  return bySignificance ? (x) => significant(x, digits, even) : (x) => rounded(x, digits, even);
}

/** The pen of a learner. @param {Habits} habits
 * @param {(step: string, numbers: any) => any} [slip] what becomes of a step's numbers by a slip of the pen
 * @returns {import('./by-hand.js').Pen} */
export function penOf(habits, slip = (_, numbers) => numbers) {
  const round = roundingOf(habits);
  return {
    write: (step, numbers) => slip(step, each(numbers, round)),
    note: habits.notes ? round : (x) => x,
    shifted: habits.shifted,
    squaresFirst: habits.squaresFirst,
  };
}

/** A slip of the pen: one cell becomes another number.
 * @param {string} cell @param {(x: number) => number} change
 * @returns {(step: string, numbers: any) => any} */
export const slipAt = (cell, change) => (step, numbers) => {
  if (step !== cell.slice(0, cell.indexOf('['))) return numbers;
  const path = cell
    .slice(step.length + 1, -1)
    .split(',')
    .map(Number);
  const changed = structuredClone(numbers);
  const row = path.slice(0, -1).reduce((part, i) => part[i], changed);
  const last = Number(path.at(-1));
  row[last] = change(row[last]);
  return changed;
};
