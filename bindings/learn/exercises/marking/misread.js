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

/** The given number that one step's failing cells all come from.
 * @param {readonly { leaf: string, numbers: ArrayLike<number> }[]} leaves what is given
 * @param {(leaf: string, offset: number, value: number) => ArrayLike<number>} made what the step comes to with another number
 * @param {ArrayLike<number>} follows what it comes to as it is
 * @param {readonly { cell: Cell, answer: number, band: number, fails: boolean }[]} written the step's numbers
 * @param {boolean} isNear whether it is only looked for beside the given one, and by its sign: a few numbers, or shares, may come from any
 * @returns {Misread | null} */
export function misreadOf(leaves, made, follows, written, isNear) {
  const failing = written.filter(({ fails }) => fails);
  for (const { leaf, numbers } of leaves) {
    for (let offset = 0; offset < numbers.length; offset++) {
      const right = numbers[offset];
      const by = (/** @type {number} */ x) => made(leaf, offset, x);
      const value = isNear
        ? [-right, right + 1, right - 1].find((x) => x !== right && isMade(failing, by(x)))
        : readAs(right, by, follows, failing);
      if (value === undefined) continue;
      const all = made(leaf, offset, value);
      /* Where the number was read rightly, it was not misread. */
      if (isMade(written, all)) return { leaf, offset, value };
    }
  }
  return null;
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
