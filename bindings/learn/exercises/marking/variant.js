// Answers to another variant: a sheet that was handed in for numbers which are not its own.

import { agrees } from '../../../js/number/judge.js';
import { readyFor } from './states.js';
import { isTrivial } from './stock.js';

/** @typedef {import('../problem/problem.js').Problem} Problem */
/** @typedef {import('../problem/problem.js').Cell} Cell */
/** @typedef {import('./learner.js').Marked} Marked */

/** Fewer different numbers of another variant may be chance: small ones come again and again. */
const LEAST = 8;
/** Fewer numbers that tell two variants apart may be chance, where all of them are the other one's. */
const LEAST_OF_ALL = 3;
/** Cells of a sheet of which all may be. */
const SHEET = 6;
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
  if (written.length - right.length < LEAST_OF_ALL) return null;
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
      isOurs: /^(right|misconception)/.test(marked[cell.name].state),
      isCarried: marked[cell.name].state === 'carried' && marked[cell.name].points === 1,
      answer,
    }));
    const { theirs, steps } = stepsOf(counts, written.length >= SHEET);
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

/** A number in which two variants differ. isOurs: whether it comes from what its own variant gives; isCarried: or from the
 * learner's own numbers before it.
 * @typedef {{ step: string, isTheirs: boolean, isOurs: boolean, isCarried: boolean, answer: number }} Telling */

/** The numbers that are the other variant's; none if these are not most, or not more than what their own explains.
 * @param {readonly Telling[]} counts @param {boolean} isCopied whether steps before are the other variant's */
function theirsIn(counts, isCopied) {
  const theirs = counts.filter(({ isTheirs }) => isTheirs);
  const ours = counts.filter(({ isOurs, isCarried }) => isOurs || (isCarried && !isCopied));
  return theirs.length > ours.length && theirs.length >= MOST * counts.length ? theirs : [];
}

/** How many numbers are the other variant's; 0 if few of them differ. Any sheet may have 0 and 1.
 * @param {readonly Telling[]} theirs */
function evidenceOf(theirs) {
  const { size } = new Set(theirs.flatMap(({ answer }) => (isTrivial(answer) ? [] : [answer])));
  return size >= LEAST ? theirs.length : 0;
}

/** The steps that are the other variant's: all of them, or some behind own ones.
 * @param {readonly Telling[]} counts @param {boolean} isSheet whether the sheet has many cells */
function stepsOf(counts, isSheet) {
  const all = theirsIn(counts, false);
  const isAll = isSheet && all.length === counts.length && all.length >= LEAST_OF_ALL;
  const whole = isAll ? all.length : evidenceOf(all);
  if (whole) return { theirs: whole, steps: null };
  const telling = counts.filter(({ answer }) => !isTrivial(answer));
  /** @type {Telling[]} */
  const parts = [];
  for (const step of new Set(telling.map((one) => one.step))) {
    const here = telling.filter((one) => one.step === step);
    parts.push(...theirsIn(here, parts.length > 0));
  }
  return { theirs: evidenceOf(parts), steps: new Set(parts.map(({ step }) => step)) };
}
