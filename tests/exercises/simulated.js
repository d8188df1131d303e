// Simulated learners: those who work rightly, and those who make one mistake that is known by name; with what marking
// says of them.

import { IN_STEP } from '../../bindings/learn/exercises/problem/misconceptions.js';
import { BY_HAND, workedOut } from './by-hand.js';
import { chance, fractionOf, penOf, roundingOf, slipAt, written } from './learner.js';
import { LEVELS, pointsFor, problemOf } from './setup.js';

const POLICIES = [
  { digits: 2 },
  { digits: 3 },
  { digits: 4 },
  { significant: 3 },
  { significant: 4 },
  { exact: true },
];
const MOST = 6;

/** How a learner works whom this policy suits. @param {any} policy @param {ReturnType<typeof chance>} random
 * @returns {import('./learner.js').Habits} */
export function habitsFor({ digits, significant, exact }, random) {
  const least = digits ?? significant ?? MOST;
  const each = !exact && random.below(4) > 0;
  return {
    digits: each ? least + random.below(MOST + 1 - least) : null,
    bySignificance: significant !== undefined,
    even: random.below(2) === 1,
    notes: random.below(2) === 1,
    shifted: random.below(2) === 1,
    squaresFirst: random.below(2) === 1,
    fractions: random.below(2) === 1,
  };
}

/** What a learner who works rightly writes into each cell.
 * @param {any} problem @param {import('./learner.js').Habits} habits @param {ReturnType<typeof chance>} random */
export function answersOf(problem, habits, random) {
  const { policy } = problem;
  const cells = workedOut(problem, '', penOf(habits));
  /* Whoever goes on with all digits rounds what is written down, if at all. */
  const end = policy.exact ? null : (policy.digits ?? policy.significant) + random.below(2);
  const last = roundingOf({ ...habits, digits: habits.digits ?? end });
  const answers = problem.asked.map((cell) => {
    const fraction = habits.fractions && habits.digits === null ? fractionOf(cells[cell]) : null;
    return [cell, fraction ?? written(last(cells[cell]), null, random)];
  });
  return Object.fromEntries(random.shuffled(answers));
}

/** Learners who work rightly, so many at each problem of a seed and a level, and their marks.
 * @param {string} recipe @param {readonly number[]} seeds @param {number} learners */
export function* rightLearners(recipe, seeds, learners) {
  for (const seed of seeds) {
    for (const [i, level] of LEVELS.entries()) {
      const policy = POLICIES[(seed + i) % POLICIES.length];
      const problem = problemOf(recipe, { seed, level, ...policy });
      for (let learner = 0; learner < learners; learner++) {
        const random = chance(seed, i, learner);
        const habits = habitsFor(problem.policy, random);
        const answers = answersOf(problem, habits, random);
        yield { problem, habits, answers, marks: pointsFor(problem, answers) };
      }
    }
  }
}

/** @param {string} cell */
const stepOf = (cell) => cell.slice(0, cell.indexOf('['));

/** What marking says of one learner.
 * @typedef {object} Told
 * @property {string} mistake that the learner makes
 * @property {string[]} named mistakes that marking names, each once
 * @property {string[]} states of each cell
 * @property {'found' | 'missed' | null} slip another one, made in a second attempt where the mistake does not show;
 *   null where there is no room for it */

/** For each problem of a recipe, learners who make one of its mistakes each, everywhere, and work rightly otherwise.
 * @param {string} recipe @param {readonly number[]} seeds
 * @returns {Generator<Told>} */
export function* mistakenLearners(recipe, seeds) {
  for (const seed of seeds) {
    const digits = 2 + (seed % 3);
    const level = LEVELS[Math.floor(seed / 3) % 3];
    const problem = problemOf(recipe, { seed, level, digits });
    const { mistakes } = BY_HAND[recipe];
    /* Some are named where they are made alone. */
    const inStep = IN_STEP.filter(
      (mistake) => level === 'steps' && problem.asked.length > 3 && mistakes.includes(mistake),
    );
    for (const mistake of [...Object.keys(problem.misconceptions), ...inStep]) {
      yield told(problem, mistake, chance(seed, mistakes.indexOf(mistake)));
    }
  }
}

/** What is written with a pen, and its marks.
 * @param {any} problem @param {string} mistake @param {import('./by-hand.js').Pen} pen
 * @param {ReturnType<typeof chance>} random */
function marksOf(problem, mistake, pen, random) {
  const numbers = workedOut(problem, mistake, pen);
  const answers = problem.asked.map((cell) => [cell, written(numbers[cell], null, random)]);
  return { numbers, cells: pointsFor(problem, Object.fromEntries(answers)).cells };
}

/** @param {any} problem @param {string} mistake @param {ReturnType<typeof chance>} random
 * @returns {Told} */
function told(problem, mistake, random) {
  const habits = {
    digits: problem.policy.digits,
    even: random.below(2) === 1,
    notes: random.below(2) === 1,
    shifted: random.below(2) === 1,
    squaresFirst: random.below(2) === 1,
    fractions: false,
  };
  const { numbers, cells } = marksOf(problem, mistake, penOf(habits), random);
  const named = new Set(Object.values(cells).flatMap(({ misconception = [] }) => misconception));
  const states = Object.values(cells).map(({ state }) => state);
  const touched = problem.asked.filter((cell) => cells[cell].misconception).map(stepOf);
  const elsewhere = problem.asked.filter(
    (cell) => !touched.includes(stepOf(cell)) && Number.isFinite(numbers[cell]),
  );
  const slip = elsewhere.length ? slipOf(problem, mistake, habits, elsewhere, random) : null;
  return { mistake, named: [...named], states, slip };
}

/** Whether a slip of the pen beside a mistake is found.
 * @param {any} problem @param {string} mistake @param {import('./learner.js').Habits} habits
 * @param {string[]} cells one of which it is in @param {ReturnType<typeof chance>} random */
function slipOf(problem, mistake, habits, cells, random) {
  const at = random.pick(cells);
  const by = random.pick([-2, -1, -0.5, 0.5, 1, 2]);
  const pen = penOf(
    habits,
    slipAt(at, (x) => roundingOf(habits)(x + by)),
  );
  const slipped = workedOut(problem, mistake, pen);
  /* A slip may make no word of a word, or the right number of a wrong one. */
  const { value, band } = problem.solution[at];
  if (Object.values(slipped).some(Number.isNaN)) return null;
  if (Math.abs(slipped[at] - value) <= 3 * band) return null;
  const { state, points } = marksOf(problem, mistake, pen, random).cells[at];
  return points < 1 && state !== `misconception:${mistake}` ? 'found' : 'missed';
}
