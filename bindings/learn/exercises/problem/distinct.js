// Whether every known mistake gives another answer.

import { Machine } from '../machine/machine.js';
import { IN_STEP, MISCONCEPTIONS } from './misconceptions.js';

/** @typedef {import('../../../js/glassformer.js').Glassformer} Glassformer */
/** @typedef {import('./problem.js').Cell} Cell */
/** @typedef {import('./problem.js').Work} Work */

/** Bands by which a mistake differs from the truth, and from other mistakes, in one cell at least. */
export const APART = 3;

/** @typedef {Cell & { value: number, band: number, spread: number }} Solved a cell and its number */

/** Whether a mistake's numbers differ enough from the truth and from those of other mistakes.
 * @param {readonly number[]} row @param {readonly number[][]} others @param {readonly Solved[]} cells */
export const isDistinct = (row, others, cells) =>
  [cells.map(({ value }) => value), ...others].every((other) =>
    cells.some(({ spread }, i) => isApart(row[i], other[i], spread)),
  );

/** What each known mistake makes of the cells, by its name.
 * @param {Glassformer} gf @param {Work} work @param {readonly Solved[]} cells
 * @returns {Generator<[name: string, row: number[]]>} */
export function* mistakes(gf, work, cells) {
  for (const [name, machineOf] of Object.entries(MISCONCEPTIONS)) {
    const program = IN_STEP.includes(name) ? null : machineOf(work.program);
    if (!program) continue;
    const machine = new Machine(gf, program);
    const numbers = machine.run();
    machine.dispose();
    yield [
      name,
      cells.map(({ step, offset }) => /** @type {Float32Array} */ (numbers.get(step))[offset]),
    ];
  }
}

/** The same; null if one of them makes no answer or cannot be told from the truth or from another.
 * @param {Glassformer} gf @param {Work} work @param {readonly Solved[]} cells
 * @returns {Map<string, number[]> | null} */
export function distinctMistakes(gf, work, cells) {
  /** @type {Map<string, number[]>} */
  const rows = new Map();
  for (const [name, row] of mistakes(gf, work, cells)) {
    if (row.some((x, i) => !isAnswer(x, cells[i], cells))) return null;
    if (!isDistinct(row, [...rows.values()], cells)) return null;
    rows.set(name, row);
  }
  return rows;
}

/** Whether a number can be asked for: any that is finite, and −∞ in a step that masks.
 * @param {number} x @param {{ step: string }} cell @param {readonly { step: string, value: number }[]} cells */
export const isAnswer = (x, { step }, cells) =>
  Number.isFinite(x) ||
  (x === -Infinity && cells.some((one) => one.step === step && one.value === -Infinity));

/** @param {number} a @param {number} b @param {number} band */
export const isApart = (a, b, band) =>
  Number.isFinite(a) && Number.isFinite(b) ? Math.abs(a - b) >= APART * band : !Object.is(a, b);
