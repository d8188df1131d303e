// A given number that a learner read or copied wrongly: the one number that explains every failing cell of a step.

import { agrees } from '../../../js/number/judge.js';

/** @typedef {import('../problem/problem.js').Cell} Cell */

/** A given number as a learner read it. @typedef {{ leaf: string, offset: number, value: number }} Misread */

/** Guesses at a number: each is nearer than the one before, and the second is exact where a step is linear in it. */
const GUESSES = 4;
/** Parts of 1 that a guess is rounded to: given numbers have few decimals. */
const PARTS = 100;

/** Whether cells have some numbers. @param {readonly { cell: Cell, answer: number, band: number }[]} cells @param {ArrayLike<number>} numbers */
const isMade = (cells, numbers) =>
  cells.every(({ cell, answer, band }) => agrees(answer, numbers[cell.offset], band));

/** Numbers that are easily read in place of one. @param {number} right */
const near = (right) =>
  [
    -right,
    right + 1,
    right - 1,
    ...(Number.isInteger(right) ? [] : [right + 0.1, right - 0.1]),
  ].filter((x) => x !== right);

/** @typedef {object} Step a step with cells that fail
 * @property {(misread: Misread) => ArrayLike<number>} made what it comes to with another number
 * @property {(misread: Misread) => number} explained how many numbers of other steps come from it
 * @property {ArrayLike<number>} follows what it comes to as it is
 * @property {readonly { cell: Cell, answer: number, band: number, fails: boolean }[]} written its numbers
 * @property {boolean} isNear whether it is only looked for beside the given one, and by its sign: a few numbers, or shares, may come
 *   from any */

/** The given number that one step's failing cells all come from; of several, the one that explains most of other steps.
 * @param {readonly { leaf: string, numbers: ArrayLike<number> }[]} leaves what is given
 * @param {Step} step
 * @returns {Misread | null} */
export function misreadOf(leaves, { made, explained, follows, written, isNear }) {
  const failing = written.filter(({ fails }) => fails);
  let most = 0;
  let best = null;
  for (const { leaf, numbers } of leaves) {
    for (let offset = 0; offset < numbers.length; offset++) {
      const right = numbers[offset];
      const by = (/** @type {number} */ value) => made({ leaf, offset, value });
      const values = isNear ? near(right) : [readAs(right, by, follows, failing)];
      for (const value of values) {
        /* Where the number was read rightly, it was not misread. */
        if (value === undefined || !isMade(written, by(value))) continue;
        const one = { leaf, offset, value };
        const count = explained(one);
        if (count > most) [most, best] = [count, one];
      }
    }
  }
  return best;
}

/** What a given number was read as, if that explains all failing cells.
 * @param {number} right
 * @param {(value: number) => ArrayLike<number>} made @param {ArrayLike<number>} follows
 * @param {readonly { cell: Cell, answer: number, band: number }[]} failing */
function readAs(right, made, follows, failing) {
  let [before, value] = [follows, right ? -right : 1];
  let last = right;
  for (let guess = 0; guess < GUESSES; guess++) {
    const now = made(value);
    const moved = failing.map(({ cell: { offset } }) => Math.abs(now[offset] - before[offset]));
    if (moved.some((move) => !(move > 0))) return undefined;
    if (isMade(failing, now)) return value;
    const { cell, answer } = failing[moved.indexOf(Math.max(...moved))];
    const slope = (now[cell.offset] - before[cell.offset]) / (value - last);
    [last, before] = [value, now];
    value = Math.round((value + (answer - now[cell.offset]) / slope) * PARTS) / PARTS;
    if (!Number.isFinite(value) || value === last || value === right) return undefined;
  }
  return undefined;
}
