// Answers to another variant: a sheet that was handed in for numbers which are not its own.

import { agrees } from '../../../js/number/judge.js';
import { readyFor } from './states.js';
import { isTrivial } from './stock.js';

/** @typedef {import('../problem/problem.js').Problem} Problem */
/** @typedef {import('../problem/problem.js').Cell} Cell */
/** @typedef {import('./learner.js').Marked} Marked */

/** Fewer numbers of another variant may be chance. */
const LEAST = 3;
/** The part of the numbers in which two variants differ that is the other one's. */
const MOST = 0.6;
/** Fewer numbers in some steps of a sheet, whose others are its own, may be chance. */
const LEAST_IN_STEPS = 6;

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

/** The variant that answers are of, or some steps of them, if it explains more than their own does; and what is left of their
 * marks: a cell earns what it earns by its own numbers alone.
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
  /** steps: those that are the other variant's; null for all of them.
   * @type {{ theirs: number, seed: number, fits: (cell: Cell, x: number) => boolean, steps: Set<string> | null }} */
  let best = { theirs: 0, seed: 0, fits: () => false, steps: null };
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
    const counts = telling.map(({ cell, answer }) => ({
      step: cell.step,
      isTheirs: fits(cell, answer),
      isOurs: isExplained(marked[cell.name]),
      isTrivial: isTrivial(answer),
    }));
    const { theirs, steps } = stepsOf(counts);
    if (theirs > best.theirs) best = { theirs, seed: variant.seed, fits, steps };
  }
  if (!best.theirs) return null;
  const isRight = new Set(right.map(({ cell }) => cell.name));
  const isTheirs = new Set(
    written.filter(({ cell, answer }) => best.fits(cell, answer)).map(({ cell }) => cell.name),
  );
  /** @param {Cell} cell @returns {Marked} */
  const markOf = ({ name, step }) => {
    const mark = marked[name];
    if (best.steps && !best.steps.has(step)) return mark;
    if (isTheirs.has(name) && !isRight.has(name))
      return { state: 'variant', points: 0, read: mark.read };
    return { ...mark, points: isRight.has(name) && !isTheirs.has(name) ? mark.points : 0 };
  };
  return {
    seed: best.seed,
    /** @type {Record<string, Marked>} */
    cells: Object.fromEntries(asked.map((cell) => [cell.name, markOf(cell)])),
  };
}

/** A number in which two variants differ. isTrivial: any sheet may have it.
 * @typedef {{ step: string, isTheirs: boolean, isOurs: boolean, isTrivial: boolean }} Telling */

/** How many of some numbers are the other variant's, 0 if these are not most, or not more than what their own explains.
 * @param {readonly Telling[]} counts @param {number} least */
function theirsIn(counts, least) {
  const theirs = counts.filter(({ isTheirs }) => isTheirs).length;
  const ours = counts.filter(({ isOurs }) => isOurs).length;
  return theirs > ours && theirs >= Math.max(least, MOST * counts.length) ? theirs : 0;
}

/** The steps that are the other variant's: all of them, or some behind own ones.
 * @param {readonly Telling[]} counts */
function stepsOf(counts) {
  const whole = theirsIn(counts, LEAST);
  if (whole) return { theirs: whole, steps: null };
  const telling = counts.filter((one) => !one.isTrivial);
  const parts = [...new Set(telling.map(({ step }) => step))]
    .map((step) => ({
      step,
      theirs: theirsIn(
        telling.filter((one) => one.step === step),
        1,
      ),
    }))
    .filter(({ theirs }) => theirs);
  const theirs = parts.reduce((sum, part) => sum + part.theirs, 0);
  return {
    theirs: theirs >= LEAST_IN_STEPS ? theirs : 0,
    steps: new Set(parts.map(({ step }) => step)),
  };
}
