// Marks with the sentences that a learner reads.

import { decimalsOf } from '../problem/problem.js';
import { languageOf } from '../speech/language.js';
import { hintsAt } from './hints.js';
import { marks, readyFor } from './states.js';

/** @typedef {import('../../glassformer.js').Glassformer} Glassformer */
/** @typedef {import('../speech/language.js').Language} Language */
/** @typedef {import('./states.js').Marked} Marked */
/** @typedef {import('../problem/problem.js').Problem} Problem */

/** @typedef {Marked & { message: string }} ToldMark */

/**
 * @typedef {object} ToldMarks
 * @property {number} points
 * @property {number} max one per asked cell
 * @property {Record<string, ToldMark>} cells every asked cell
 * @property {{ cell: string, message: string }[]} findings what to say about the whole: each once, at its first cell
 * @property {{ cell: string, hint: string } | null} next where to go on, and a first hint; null if all is right
 */

/** Marks what a learner wrote.
 * @param {Glassformer} gf what load() gave
 * @param {Problem} problem of exercise()
 * @param {import('./states.js').Answers} answers by cell, as the learner wrote them
 * @param {{ lang?: Language }} [options] English by default
 * @returns {ToldMarks}
 * @example
 * import { exercise, mark } from 'glassformer/exercises';
 *
 * const problem = exercise(gf, 'scores', { seed: 1 });
 * const answers = Object.entries(problem.solution).map(([cell, { value }]) => [cell, String(value)]);
 * mark(gf, problem, { cells: Object.fromEntries(answers) }).points; // = 9 */
export function mark(gf, problem, answers, options) {
  const speech = languageOf('mark', options);
  const { words } = speech;
  const { points, max, cells } = marks(gf, problem, answers);
  const decimals = decimalsOf(problem.policy);
  const { work, asked } = readyFor('mark', gf, problem);
  /** @type {Map<string, number>} */
  const values = new Map(asked.map(({ name, step, at }) => [name, work.of(step)[at]]));
  /** @param {string} cell @param {Marked} marked */
  const message = (cell, { state, follows, misconception, at }) => {
    if (misconception) {
      return words.misconceptions[/** @type {keyof typeof words.misconceptions} */ (misconception)];
    }
    if (state.startsWith('slip:')) {
      return words.slips[/** @type {keyof typeof words.slips} */ (state.slice('slip:'.length))];
    }
    const sentence = words.states[/** @type {keyof typeof words.states} */ (state)];
    return speech.say(sentence, {
      value: speech.number(/** @type {number} */ (values.get(cell)), decimals),
      follows: speech.number(follows ?? 0, decimals),
      at: String((at ?? 0) + 1),
    });
  };
  const told = Object.entries(cells).map(([cell, marked]) => ({
    cell,
    marked: { ...marked, message: message(cell, marked) },
  }));
  const open = told.find(({ marked }) => marked.state !== 'right' && marked.state !== 'carried');
  const telling = told.filter(
    ({ marked: { state } }) => !['right', 'carried', 'empty'].includes(state),
  );
  return {
    points,
    max,
    cells: Object.fromEntries(told.map(({ cell, marked }) => [cell, marked])),
    findings: telling
      .filter(
        ({ marked }, i) => telling.findIndex((one) => one.marked.message === marked.message) === i,
      )
      .map(({ cell, marked }) => ({ cell, message: marked.message })),
    next: open ? { cell: open.cell, hint: hintsAt(gf, problem, open.cell, speech)[0] } : null,
  };
}
