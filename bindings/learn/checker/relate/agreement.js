// How far printed numbers agree with a way to compute them, and when that is enough for a relation.

import { sumOf } from '../../../js/base/sum.js';
import { agrees, isRounded, TOLERANCE } from '../../../js/number/judge.js';

/** @typedef {import('../read/number.js').Cell} Cell */
/** @typedef {import('./value.js').Value} Value */
/** @typedef {import('./relations/candidate.js').Candidate} Candidate */

/** As much as must agree before a relation is taken for granted: where names say it, where only numbers do, and where a
 * known mistake is read into what is guessed. */
export const ENOUGH = { expected: 1 / 3, few: 1 / 2, found: 0.6, guessed: 0.9 };
/** Numbers of which a third agrees by chance. */
const FEW = 4;

/** @param {Cell[][]} cells @param {Value} value @param {number} [band]
 * @returns {number} the part of the cells that agree */
export function agreement(cells, value, band) {
  const right = cells.map(
    (row, i) => row.filter((cell, j) => isRounded(cell, value.rows[i][j], band)).length,
  );
  return sumOf(right) / (cells.length * cells[0].length);
}

/** Whether numbers are off by no more than what early rounding does. @param {Cell[][]} cells @param {Value} value */
function isClose(cells, { rows }) {
  const most = Math.max(...rows.flat().map(Math.abs));
  return cells.every((row, i) =>
    row.every(({ value }, j) => agrees(value, rows[i][j], TOLERANCE.early * most)),
  );
}

/** The value with two of its rows exchanged, each way. @param {Value} value
 * @returns {[string, Value][]} */
export function exchangedRows({ rank, rows }) {
  return rows.slice(0, 6).flatMap((_, i) =>
    rows.slice(0, i).map((_row, j) => {
      const others = rows.with(i, rows[j]).with(j, rows[i]);
      return /** @type {[string, Value]} */ (['slip:rows', { rank, rows: others }]);
    }),
  );
}

/** How much of the numbers must agree with a way at least. @param {Cell[][]} cells @param {boolean} [expected] whether names say it */
function leastOf(cells, expected) {
  const flat = cells.flat();
  if (expected) return flat.length <= FEW ? ENOUGH.few : ENOUGH.expected;
  /* One decimal agrees by chance. */
  return flat.every(({ unit }) => unit > 0.05) ? 1 : ENOUGH.found;
}

/** How far the printed numbers agree with a way to compute them, rightly or by a mistake.
 * @param {Cell[][]} cells
 * @param {{ candidate: Candidate, printed: Value, exact: Value, others: () => [string, Value][] }} way
 * @param {boolean | undefined} isCertain whether the names leave no other */
export function agreementOf(cells, { candidate, printed, exact, others }, isCertain) {
  const { expected, guessed, band } = candidate;
  const isSeveral = cells.length * cells[0].length > 1;
  /* A mistake is not read into a single number that may be another. */
  const right = agreement(cells, exact);
  /* A single number may follow from a wrong one by chance. */
  const truly = Math.max(right, isSeveral || isCertain ? agreement(cells, printed, band) : right);
  const isMistaken = truly < 1 && expected && (isSeveral || isCertain);
  const ways = isMistaken ? others().map(([, other]) => other) : [];
  const mistaken = Math.max(0, ...ways.map((other) => agreement(cells, other, band)));
  const agreed = Math.max(truly, mistaken);
  const isEnough = guessed
    ? truly >= ENOUGH.found || mistaken >= ENOUGH.guessed
    : mistaken >= ENOUGH.found ||
      (expected && isSeveral && isClose(cells, exact)) ||
      truly >= leastOf(cells, expected);
  return { agreed, truly, isEnough };
}

/** Whether numbers are shares of a whole, in each row. @param {Cell[][]} cells */
export const areShares = (cells) =>
  cells.every((row) => {
    const band = row.length * Math.max(...row.map(({ unit }) => unit));
    return (
      row.length > 1 &&
      row.every(({ value }) => value >= 0 && value <= 1) &&
      agrees(sumOf(row.map(({ value }) => value)), 1, band)
    );
  });
