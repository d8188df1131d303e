// Marks with the sentences that a learner reads.

import { checkArray } from '../../../js/base/errors.js';
import { decimalsOf } from '../problem/problem.js';
import { languageOf } from '../speech/language.js';
import { hintsAt } from './hints.js';
import { marks } from './marks.js';
import { readyFor } from './states.js';

/** @typedef {import('../../../js/glassformer.js').Glassformer} Glassformer */
/** @typedef {import('../../../js/base/speech.js').Language} Language */
/** @typedef {import('./learner.js').Marked} Marked */
/** @typedef {import('../problem/problem.js').Problem} Problem */

/** @typedef {import('./marks.js').StepMarks} StepMarks */

/** message: what to say to the learner. @typedef {Marked & { message: string }} ToldMark */

/**
 * @typedef {object} ToldMarks
 * @property {number} points of all steps, to hundredths
 * @property {number} max as many as the steps have
 * @property {Record<string, StepMarks>} steps every asked step: its cells are equal parts of its points
 * @property {number} [variant] the seed of the variant that the answers are of, if it is another one
 * @property {Record<string, ToldMark>} cells every asked cell
 * @property {{ cell: string, message: string }[]} findings what to say about the whole: a known mistake once, anything else once
 *   in each step, at its first cell
 * @property {{ cell: string, hint: string } | null} next where to go on, and a first hint; null if all is right
 */

/** @param {unknown} variants @param {unknown} counted */
function checkLists(variants, counted) {
  checkArray('mark: variants', variants);
  if (counted !== undefined) checkArray('mark: counted', counted);
}

/** What a cell earns that follows from the learner's own numbers, in words.
 * @param {number} points @param {ReturnType<typeof languageOf>['words']} words */
const worthOf = (points, { worth }) =>
  points === 1 ? worth.all : points ? worth.half : worth.none;

/** Which sentence a cell's state has: what follows is told so wherever it earns something, what is right if it should not be.
 * @param {string} state @param {number} points @param {boolean} isOther whether another number follows */
function saidOf(state, points, isOther) {
  if (state === 'right' && !points) return 'chance';
  if (state === 'right' && isOther) return 'apart';
  const isCarried = state === 'loose' && points > 0;
  return /** @type {keyof ReturnType<typeof languageOf>['words']['states']} */ (
    isCarried ? 'carried' : state
  );
}

/** Marks what a learner wrote.
 * @param {Glassformer} gf what load() gave
 * @param {Problem} problem of exercise()
 * @param {import('./answers.js').Answers} answers by cell, as the learner wrote them
 * @param {{ lang?: Language, variants?: readonly Problem[], counted?: readonly string[] }} [options] English by default;
 * variants: all problems that were given out together, to find who answers another one; counted: the cells whose points
 * count, all by default
 * @returns {ToldMarks}
 * @example
 * import { exercise, mark } from 'glassformer/exercises';
 *
 * const problem = exercise(gf, 'scores', { seed: 1 });
 * const answers = Object.entries(problem.solution).map(([cell, { value }]) => [cell, String(value)]);
 * mark(gf, problem, { cells: Object.fromEntries(answers) }).points; // = 9 */
export function mark(gf, problem, answers, options) {
  const speech = languageOf('mark', options, ['variants', 'counted']);
  const { words, lang } = speech;
  const { variants = [], counted } = options ?? {};
  checkLists(variants, counted);
  const { cells, ...whole } = marks(gf, problem, answers, { lang, variants, counted });
  const decimals = decimalsOf(problem.policy);
  const { work, asked } = readyFor('mark', gf, problem);
  /** @param {typeof asked[number]} cell @param {Marked} marked */
  const message = (cell, { state, points, follows, misconception, at = 0, why }) => {
    if (misconception) return speech.misconception(misconception);
    if (why) return words.unreadable[why];
    if (state.startsWith('slip:')) {
      return words.slips[/** @type {keyof typeof words.slips} */ (state.slice('slip:'.length))];
    }
    const said = saidOf(state, points, follows !== undefined);
    if (said === 'chance') return words.worth.chance;
    const isApart = said === 'apart';
    const template = isApart ? words.worth.apart : words.states[said];
    if (typeof template === 'string') return template;
    const sentence = speech.say(template, {
      value: speech.number(work.valueAt(cell), decimals),
      follows: speech.number(follows ?? 0, decimals),
      at: String(at + 1),
      n: String(1 + variants.findIndex(({ seed }) => seed === whole.variant)),
    });
    const isWorth = said === 'carried' || (isApart && points < 1);
    return isWorth ? `${sentence} ${worthOf(points, words)}` : sentence;
  };
  const entries = asked.map((cell) => {
    const marked = cells[cell.name];
    return { cell: cell.name, marked: { ...marked, message: message(cell, marked) } };
  });
  const failing = entries.filter(({ marked: { state } }) => !['right', 'carried'].includes(state));
  const apart = entries.filter(
    ({ marked: { state, follows } }) => state === 'right' && follows !== undefined,
  );
  const [first] = failing;
  /** What was found, each once: a known mistake on the whole sheet, anything else in each step.
   * @type {Map<string, { cell: string, message: string }>} */
  const findings = new Map();
  for (const { cell, marked } of [...failing, ...apart]) {
    const { state, message, misconception } = marked;
    /* What a right number does not follow from is another number in each cell. */
    const said = state === 'right' ? state : message;
    const key = misconception ?? `${cell.split('[')[0]} ${said}`;
    if (state !== 'empty' && !findings.has(key)) findings.set(key, { cell, message });
  }
  return {
    ...whole,
    cells: Object.fromEntries(entries.map(({ cell, marked }) => [cell, marked])),
    findings: [...findings.values()],
    next: first
      ? { cell: first.cell, hint: hintsAt(gf, problem, first.cell, speech, answers)[0] }
      : null,
  };
}
