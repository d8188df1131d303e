// Answers as platforms know them that compare with numbers from a file: the right ones, what they are worth, and those of known
// mistakes.

import { mark } from '../marking/mark.js';

/** @typedef {import('../problem/problem.js').Problem} Problem */

/** Two numbers of points as near as this are in a whole ratio. */
const NEAR = 1e-6;
const MAX_FACTOR = 1000;

/** What each cell is worth to mark(), in the fewest whole points: platforms add cells up. It is an equal part of what is lost
 * without its step. A zero is worth nothing where its step has other numbers, if a platform cannot see that a sheet has no others.
 * @param {import('../../../js/glassformer.js').Glassformer} gf @param {Problem} problem @param {{ zeros?: boolean }} [options]
 * zeros: whether they count
 * @returns {Map<string, number>} */
export function worthIn(gf, problem, { zeros = true } = {}) {
  const { asked, solution } = problem;
  const stepOf = (/** @type {string} */ cell) => cell.slice(0, cell.indexOf('['));
  /** @param {string} [left] a step without answers */
  const pointsWithout = (left) => {
    const cells = asked.filter((cell) => stepOf(cell) !== left);
    const right = Object.fromEntries(cells.map((cell) => [cell, solution[cell].value]));
    return mark(gf, problem, { cells: right }).points;
  };
  const all = pointsWithout();
  /** @type {Map<string, number>} */
  const parts = new Map();
  for (const step of new Set(asked.map(stepOf))) {
    const n = asked.filter((cell) => stepOf(cell) === step).length;
    parts.set(step, (all - pointsWithout(step)) / n);
  }
  const isOther = (/** @type {string} */ cell) => solution[cell].value !== 0;
  const steps = new Set(asked.filter(isOther).map(stepOf));
  const counts = (/** @type {string} */ cell) => zeros || isOther(cell) || !steps.has(stepOf(cell));
  const worth = asked.map((cell) => (counts(cell) && parts.get(stepOf(cell))) || 0);
  const least = Math.min(...worth.filter(Boolean));
  const ratios = worth.map((part) => part / least);
  const isWhole = (/** @type {number} */ factor) =>
    ratios.every((ratio) => Math.abs(factor * ratio - Math.round(factor * ratio)) < NEAR * factor);
  let factor = 1;
  while (factor < MAX_FACTOR && !isWhole(factor)) factor++;
  return new Map(asked.map((cell, i) => [cell, Math.round(factor * ratios[i])]));
}

/** A number as platforms read it: plain decimals. @param {number} x */
export const plain = (x) => {
  const text = x.toFixed(9).replace(/\.?0+$/, '');
  return text === '-0' ? '0' : text;
};

/** How people write an infinity. @param {number} value */
export const infinities = (value) =>
  value > 0 ? ['∞', 'inf', 'infinity', '+∞'] : ['−∞', '-∞', '-inf', '−inf', '-infinity'];

/** The numbers that known mistakes make of a cell, as far as a number tells which: where two mistakes give the same
 * one, neither is named.
 * @param {Problem} problem @param {string} cell
 * @param {{ misconceptions: Readonly<Record<string, string>> }} words
 * @returns {{ name: string, value: number, sentence: string }[]} */
export function wrongAnswers({ solution, misconceptions }, cell, words) {
  const { value, band } = solution[cell];
  const isApart = (/** @type {number} */ a, /** @type {number} */ b) => Math.abs(a - b) > 2 * band;
  const wrong = Object.entries(misconceptions)
    .filter(([, cells]) => cell in cells && Number.isFinite(cells[cell]))
    .map(([name, cells]) => ({ name, value: cells[cell], sentence: words.misconceptions[name] }))
    .filter((one) => isApart(one.value, value));
  return wrong.filter((one) =>
    wrong.every((other) => other === one || isApart(other.value, one.value)),
  );
}
