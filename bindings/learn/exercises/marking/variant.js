// Answers to another variant: a sheet that was handed in for numbers which are not its own.

import { agrees } from '../../../js/number/judge.js';
import { readyFor } from './states.js';

/** @typedef {import('../problem/problem.js').Problem} Problem */
/** @typedef {import('../problem/problem.js').Cell} Cell */
/** @typedef {import('./learner.js').Marked} Marked */

/** Fewer numbers of another variant may be chance. */
const LEAST = 3;
/** The part of the numbers in which two variants differ that is the other one's. */
const MOST = 0.6;

/** @typedef {{ value: number, band: number }} Right */

/** The right number of each asked cell, by variant. @type {WeakMap<Problem, Map<string, Right>>} */
const solved = new WeakMap();

/** @param {import('../../../js/glassformer.js').Glassformer} gf @param {Problem} problem
 * @returns {Map<string, Right>} */
function rightIn(gf, problem) {
  const cached = solved.get(problem);
  if (cached) return cached;
  const { asked, work, bands } = readyFor('mark: variants', gf, problem);
  const numbers = new Map(
    asked.map((cell) => [
      cell.name,
      { value: work.valueAt(cell), band: /** @type {number} */ (bands.get(cell.name)) },
    ]),
  );
  solved.set(problem, numbers);
  return numbers;
}

/** Whether a mark says how an answer comes from the numbers of its own variant. @param {Marked} mark */
const isExplained = ({ state }) => /^(right|carried|misconception)/.test(state);

/** The variant that answers are of, if it explains more of them than their own does; and what is left of their marks: a cell
 * earns what it earns by its own numbers alone.
 * @param {import('../../../js/glassformer.js').Glassformer} gf @param {Problem} problem
 * @param {ReturnType<typeof readyFor>} prepared it @param {Map<string, import('./answers.js').Answer>} answers
 * @param {Record<string, Marked>} marked by their own numbers @param {readonly Problem[]} variants of the same hand-out */
export function otherVariant(gf, problem, { asked, work, bandOf }, answers, marked, variants) {
  const written = asked.flatMap((cell) => {
    const answer = answers.get(cell.name);
    return answer && 'value' in answer ? [{ cell, answer: answer.value }] : [];
  });
  const right = written.filter(({ cell, answer }) =>
    agrees(answer, work.valueAt(cell), bandOf(cell)),
  );
  if (written.length - right.length < LEAST) return null;
  let best = { theirs: 0, seed: 0, isTheirs: (/** @type {string} */ _) => false };
  for (const variant of variants) {
    if (Object(variant).recipe !== problem.recipe || variant.level !== problem.level) continue;
    if (variant.seed === problem.seed) continue;
    const numbers = rightIn(gf, variant);
    /* A teacher's numbers may ask for other cells. */
    if (!written.every(({ cell }) => numbers.has(cell.name))) continue;
    const fits = (/** @type {Cell} */ cell, /** @type {number} */ x) => {
      const { value, band } = /** @type {Right} */ (numbers.get(cell.name));
      return agrees(x, value, band);
    };
    /* Where both variants have the same number, it says nothing. */
    const telling = written.filter(({ cell }) => !fits(cell, work.valueAt(cell)));
    const theirs = telling.filter(({ cell, answer }) => fits(cell, answer));
    const explained = telling.filter(({ cell }) => isExplained(marked[cell.name]));
    const isBetter = theirs.length > Math.max(best.theirs, explained.length);
    if (!isBetter || theirs.length < Math.max(LEAST, MOST * telling.length)) continue;
    const names = new Set(
      written.filter(({ cell, answer }) => fits(cell, answer)).map(({ cell }) => cell.name),
    );
    best = { theirs: theirs.length, seed: variant.seed, isTheirs: (name) => names.has(name) };
  }
  if (!best.theirs) return null;
  const ours = new Set(right.map(({ cell }) => cell.name));
  return {
    seed: best.seed,
    /** @type {Record<string, Marked>} */
    cells: Object.fromEntries(
      Object.entries(marked).map(([name, mark]) => {
        const { read } = mark;
        if (best.isTheirs(name) && !ours.has(name))
          return [name, { state: /** @type {const} */ ('variant'), points: 0, read }];
        const isEarned = ours.has(name) && !best.isTheirs(name);
        return [name, { ...mark, points: isEarned ? mark.points : 0 }];
      }),
    ),
  };
}
