// Numbers in sentences that say results again: 28% of it to "I", 14% to "like", 58% to itself.

import { isWritten } from '../read/number.js';
import { isSlip } from './doubt.js';
import { numberOf } from './value.js';

/** @typedef {import('../read/number.js').Cell} Cell */

/** A number of a sentence, and the result that it says again. @typedef {{ cell: Cell, result: Cell }} Pair */

/** Digits of a number that only few others are like by a slip. */
const MANY_DIGITS = 3;
/** Digits of a number that is in two rows by chance only. */
const SOME_DIGITS = 2;
/** How many rows back a sentence may say one again. */
const MAX_BACK = 60;

/** @param {Cell} cell @param {Cell} result */
const says = (cell, { exact, value }) => [exact, value].some((x) => isWritten(cell, x));

/** Results in rows, and those that stand one after the other, as many as a row takes. @param {Cell[][]} results @param {number} count
 * @returns {Cell[][]} the last first */
const rowsOf = (results, count) =>
  results
    .flatMap((row, i) => {
      const run = results.slice(Math.max(0, i + 1 - count), i + 1);
      if (run.length === count && run.every(({ length }) => length === 1)) return [run.flat()];
      return row.length === count ? [row] : [];
    })
    .reverse();

/** Each number of a sentence with the result that it says, in any order: all of them, or all but one.
 * @param {Cell[]} cells @param {Cell[]} row
 * @returns {Pair[] | null} the one that does not agree last */
function pairsOf(cells, row) {
  const rest = new Set(row);
  const others = new Set(cells);
  /** @type {Pair[]} */
  const pairs = [];
  const pair = (/** @type {Cell} */ cell, /** @type {Cell} */ result) => {
    pairs.push({ cell, result });
    rest.delete(result);
    others.delete(cell);
  };
  cells.forEach((cell, i) => {
    if (says(cell, row[i])) pair(cell, row[i]);
  });
  const isInOrder = pairs.length > cells.length - 2;
  for (const cell of others) {
    const result = [...rest].find((one) => says(cell, one));
    if (result) pair(cell, result);
  }
  const [cell, ...more] = others;
  if (!cell || more.length) return cell ? null : pairs;
  /* In another order two numbers that are the same may each be the wrong one. */
  const isTwice = pairs.some((one) => one.cell.text === cell.text);
  return isTwice && !isInOrder ? null : [...pairs, { cell, result: [...rest][0] }];
}

/** The digits that tell a number from others: none of 1.00, two of 0.39. @param {Cell} cell */
const digitsOf = ({ text }) => text.replace(/\D/g, '').replace(/^0+|0+$/g, '').length;

/** Whether one number alone differs from the result, and by a slip. A round one may be meant so. @param {Pair[]} pairs */
function isSlipped(pairs) {
  const { cell, result } = pairs[pairs.length - 1];
  const isRound = digitsOf(cell) < MANY_DIGITS && Math.round(cell.value / cell.unit) % 5 === 0;
  const areFew = pairs.length < 3 && pairs.some((one) => digitsOf(one.cell) < MANY_DIGITS);
  const areRight = pairs.every((one) => isWritten(one.result, one.result.exact));
  const exact = numberOf(result.exact);
  return areRight && !isRound && !areFew && isSlip({ cell, i: 0, j: 0 }, exact);
}

/** The row that numbers say again: the last of which all agree, or, if none does, the only one of which all but one do.
 * @param {Cell[]} cells @param {Cell[][]} results
 * @returns {Pair[] | null} */
function rowSaid(cells, results) {
  const ways = rowsOf(results, cells.length).flatMap((row) => {
    const pairs = pairsOf(cells, row) ?? [];
    const areTelling = pairs.some(
      ({ cell, result }) => says(cell, result) && digitsOf(cell) >= SOME_DIGITS,
    );
    return areTelling ? [pairs] : [];
  });
  const isRight = (/** @type {Pair[]} */ pairs) =>
    pairs.every(({ cell, result }) => says(cell, result));
  const right = ways.find(isRight);
  if (right) return right;
  const [slipped, ...others] = ways.filter(isSlipped);
  const [first, ...rest] = [slipped, ...others].map((pairs) => pairs?.at(-1)?.result.text);
  return slipped && rest.every((text) => text === first) ? slipped : null;
}

/** Which results the numbers of a paragraph say again: all of them one row, or parts of them rows of results.
 * @param {Cell[]} cells in their order @param {Cell[][]} all results in theirs
 * @returns {Pair[][]} those of one row each */
export function saidAgain(cells, all) {
  /* 0.25 (25%) is one result. */
  const results = all.slice(-MAX_BACK).filter(([{ text }]) => !text.endsWith('%'));
  const whole = rowSaid(cells, results);
  if (whole) return [whole];
  const widths = [...new Set(results.map(({ length }) => length))].filter((width) => width > 2);
  /** @type {Pair[][]} */
  const rows = [];
  for (let from = 0; from < cells.length; ) {
    const parts = widths.map((width) => cells.slice(from, from + width));
    const row = parts.map((part) => rowSaid(part, results)).find(Boolean);
    if (row) rows.push(row);
    from += row?.length ?? 1;
  }
  return rows;
}
