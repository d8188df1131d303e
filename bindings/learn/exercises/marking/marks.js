// The marks of a sheet: of each cell, and of each step, which has points of its own.

import { LANGUAGES } from '../../../generated/languages.js';
import { agrees } from '../../../js/number/judge.js';
import { readAnswers } from './answers.js';
import { Marking } from './learner.js';
import { readyFor } from './states.js';
import { otherVariant } from './variant.js';

/** @typedef {import('../../../js/glassformer.js').Glassformer} Glassformer */
/** @typedef {import('../problem/problem.js').Problem} Problem */
/** @typedef {import('./answers.js').Answer} Answer */
/** @typedef {import('./answers.js').Answers} Answers */
/** @typedef {import('./learner.js').Marked} Marked */
/** @typedef {ReturnType<typeof readyFor>} PreparedProblem */

/** points: of a step, to hundredths. max: as many as it has. @typedef {{ points: number, max: number }} StepMarks */

/** @typedef {{ points: number, max: number, steps: Record<string, StepMarks>, cells: Record<string, Marked>,
 *   variant?: number }} Marks variant: the seed of another one that the answers are of */

/** To hundredths of a point. @param {number} points */
const rounded = (points) => Math.round(100 * points) / 100;

/** The points of each step: those of its cells are equal parts of it. What needs no arithmetic has none, but counts where it is not
 * right.
 * @param {PreparedProblem} problem @param {Record<string, Marked>} cells @param {ReadonlySet<string>} counted
 * @returns {Record<string, StepMarks>} */
function stepsOf({ cellsOf, points, free }, cells, counted) {
  const steps = Object.entries(points).map(([step, max]) => {
    const asked = cellsOf.get(step) ?? [];
    const earns = (/** @type {string} */ name) => (counted.has(name) ? cells[name].points : 0);
    const telling = asked.filter(({ name }) => !free.has(name) || earns(name) < 1);
    const parts = telling.reduce((sum, { name }) => sum + earns(name), 0);
    return [step, { points: telling.length ? rounded((max * parts) / telling.length) : max, max }];
  });
  return Object.fromEntries(steps);
}

/** The marks of a sheet that is right throughout, which most are that a class hands in; null for another one.
 * @param {PreparedProblem} problem @param {Map<string, Answer>} answers
 * @returns {Record<string, Marked> | null} */
function allRight({ asked, work, bandOf }, answers) {
  /** @type {Record<string, Marked>} */
  const cells = {};
  for (const cell of asked) {
    const answer = answers.get(cell.name);
    if (!answer || 'at' in answer) return null;
    if (!agrees(answer.value, work.valueAt(cell), bandOf(cell))) return null;
    cells[cell.name] = { state: 'right', points: 1, read: answer.value };
  }
  return cells;
}

/** Marks what a learner wrote.
 * @param {Glassformer} gf what load() gave
 * @param {Problem} problem of exercise()
 * @param {Answers} answers by cell, as they were written
 * @param {{ lang?: import('../../../js/base/speech.js').Language, variants?: readonly Problem[],
 *   counted?: readonly string[] }} [options] counted: the cells whose points count, all by default
 * @returns {Marks} */
export function marks(gf, problem, answers, { lang = 'en', variants = [], counted } = {}) {
  const prepared = readyFor('mark', gf, problem);
  const read = readAnswers(prepared.work, answers, prepared.asked, LANGUAGES[lang].decimal);
  const marked =
    allRight(prepared, read) ?? new Marking(prepared, read, variants.length > 1).marks();
  const other = otherVariant(gf, problem, prepared, read, marked, variants);
  const cells = other ? other.cells : marked;
  const inOrder = Object.fromEntries(prepared.asked.map(({ name }) => [name, cells[name]]));
  const steps = stepsOf(prepared, inOrder, new Set(counted ?? Object.keys(inOrder)));
  const all = Object.values(steps);
  return {
    points: rounded(all.reduce((sum, { points }) => sum + points, 0)),
    max: rounded(all.reduce((sum, { max }) => sum + max, 0)),
    steps,
    cells: inOrder,
    ...(other && { variant: other.seed }),
  };
}
