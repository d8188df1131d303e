// Answers as platforms know them that compare with numbers from a file: the right ones, what they are worth, and those of known
// mistakes.

import { mark } from '../marking/mark.js';
import { readyFor } from '../marking/states.js';

/** @typedef {import('../problem/problem.js').Problem} Problem */

/** How far whole points may be from what a cell is worth, as a part of that. */
const NEAR = 0.03;
const MAX_FACTOR = 1000;

/** Beyond the band, so that no margin looks like one of Canvas' "precise to n digits", which refuses numbers near 0. */
export const BEYOND = 1e-6;

/** Whether 0 is taken for a number. @param {{ value: number, band: number }} solution */
const takesZero = ({ value, band }) => Math.abs(value) <= band + BEYOND;

/** What part of its step a cell is worth where a platform adds cells up, and cannot see that a sheet has stock answers alone: one
 * that takes a zero or needs no arithmetic nothing, if the step has other numbers, and all that is masked half of the step.
 * @param {readonly { value: number, band: number, isFree: boolean }[]} cells of the step
 * @returns {number[]} in their order */
function sharesOf(cells) {
  const isMasked = (/** @type {{ value: number }} */ { value }) => !Number.isFinite(value);
  const isIdle = (/** @type {typeof cells[number]} */ one) =>
    !isMasked(one) && (one.isFree || takesZero(one));
  const masked = cells.filter(isMasked).length;
  const others = cells.filter((one) => !isMasked(one) && !isIdle(one)).length;
  if (!masked && !others) return cells.map(() => 1 / cells.length);
  const half = masked && others ? 2 : 1;
  return cells.map((one) => (isIdle(one) ? 0 : 1 / (half * (isMasked(one) ? masked : others))));
}

/** What each cell is worth, in the fewest whole points: its part of what is lost, to mark(), without its step. What is worth nothing
 * is shown in place of being asked for.
 * @param {import('../../../js/glassformer.js').Glassformer} gf @param {Problem} problem
 * @returns {Map<string, number>} */
export function worthIn(gf, problem) {
  const { asked, solution } = problem;
  const { free } = readyFor('exportQuiz', gf, problem);
  const stepOf = (/** @type {string} */ cell) => cell.slice(0, cell.indexOf('['));
  const rightIn = (/** @type {string} */ cell) => solution[cell].value;
  const pointsFor = (/** @type {readonly string[]} */ cells) =>
    mark(gf, problem, { cells: Object.fromEntries(cells.map((cell) => [cell, rightIn(cell)])) })
      .points;
  const all = pointsFor(asked);
  const worth = [...new Set(asked.map(stepOf))].flatMap((step) => {
    const cells = asked.filter((cell) => stepOf(cell) === step);
    const lost = all - pointsFor(asked.filter((cell) => !cells.includes(cell)));
    const shares = sharesOf(cells.map((cell) => ({ ...solution[cell], isFree: free.has(cell) })));
    return cells.map((cell, i) => ({ cell, part: lost * shares[i] }));
  });
  const least = Math.min(...worth.map(({ part }) => part).filter(Boolean));
  const ratios = worth.map(({ part }) => part / least);
  const isWhole = (/** @type {number} */ factor) =>
    ratios.every(
      (ratio) => Math.abs(factor * ratio - Math.round(factor * ratio)) <= NEAR * factor * ratio,
    );
  let factor = 1;
  while (factor < MAX_FACTOR && !isWhole(factor)) factor++;
  return new Map(worth.map(({ cell }, i) => [cell, Math.round(factor * ratios[i])]));
}

/** A number as platforms read it: plain decimals. @param {number} x */
export const plain = (x) => {
  const text = x.toFixed(9).replace(/\.?0+$/, '');
  return text === '-0' ? '0' : text;
};

/** How people write an infinity, and programs its stand-in. @param {number} value */
export const infinities = (value) =>
  value > 0
    ? ['∞', 'inf', 'infinity', '+∞']
    : ['−∞', '-∞', '-inf', '−inf', '-infinity', '-1e9', '−1e9'];

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
