// Marks with the sentences that a learner reads.

import { decimalsOf } from '../problem/problem.js';
import { languageOf } from '../speech/language.js';
import { hintsAt } from './hints.js';
import { marks, readyFor } from './states.js';

/** @typedef {import('../../../js/glassformer.js').Glassformer} Glassformer */
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
  /** @param {typeof asked[number]} cell @param {Marked} marked */
  const message = (cell, { state, follows = 0, misconception, at = 0 }) => {
    if (misconception) return speech.misconception(misconception);
    if (state.startsWith('slip:')) {
      return words.slips[/** @type {keyof typeof words.slips} */ (state.slice('slip:'.length))];
    }
    return speech.say(words.states[/** @type {keyof typeof words.states} */ (state)], {
      value: speech.number(work.valueAt(cell), decimals),
      follows: speech.number(follows, decimals),
      at: String(at + 1),
    });
  };
  const entries = asked.map((cell) => {
    const marked = cells[cell.name];
    return { cell: cell.name, marked: { ...marked, message: message(cell, marked) } };
  });
  const failing = entries.filter(({ marked: { state } }) => !['right', 'carried'].includes(state));
  const [first] = failing;
  /** @type {Map<string, string>} the first cell of each message */
  const findings = new Map();
  for (const { cell, marked } of failing) {
    if (marked.state === 'empty' || findings.has(marked.message)) continue;
    findings.set(marked.message, cell);
  }
  return {
    points,
    max,
    cells: Object.fromEntries(entries.map(({ cell, marked }) => [cell, marked])),
    findings: [...findings].map(([message, cell]) => ({ cell, message })),
    next: first
      ? { cell: first.cell, hint: hintsAt(gf, problem, first.cell, speech, answers)[0] }
      : null,
  };
}
