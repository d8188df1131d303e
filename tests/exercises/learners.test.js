// No right answer is refused: learners who round in each step or at the end, to as many digits as the policy says or
// more, in decimals or fractions, this way or that.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workedOut } from './by-hand.js';
import { chance, fractionOf, penOf, roundingOf, written } from './learner.js';
import { full, LEVELS, marked, problemOf, RECIPES, seeds } from './setup.js';

const POLICIES = [
  { digits: 2 },
  { digits: 3 },
  { digits: 4 },
  { significant: 3 },
  { significant: 4 },
  { exact: true },
];
/** Of each problem: 25 recipes, 3 levels, and so many seeds and learners are 2,000, or 100,000. */
const [SEEDS, LEARNERS] = full ? [67, 20] : [3, 9];
const MOST = 6;

/** How a learner works, whom this policy suits. @param {any} policy @param {ReturnType<typeof chance>} random
 * @returns {import('./learner.js').Habits} */
function habitsOf({ digits, significant, exact }, random) {
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

/** What a learner writes into each cell.
 * @param {any} problem @param {import('./learner.js').Habits} habits @param {ReturnType<typeof chance>} random */
function answersOf(problem, habits, random) {
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

for (const recipe of RECIPES) {
  test(`${recipe}: whoever works rightly is right in every cell`, () => {
    for (const seed of seeds(1000, SEEDS).slice(0, SEEDS)) {
      for (const [i, level] of LEVELS.entries()) {
        const policy = POLICIES[(seed + i) % POLICIES.length];
        const problem = problemOf(recipe, { seed, level, ...policy });
        for (let learner = 0; learner < LEARNERS; learner++) {
          const random = chance(seed, i, learner);
          const habits = habitsOf(problem.policy, random);
          const answers = answersOf(problem, habits, random);
          const { cells, points, max } = marked(problem, answers);
          const refused = Object.entries(cells)
            .filter(([, { state }]) => state !== 'right')
            .map(([cell, { state }]) => ({
              cell,
              state,
              answer: answers[cell],
              ...problem.solution[cell],
            }));
          const who = { recipe, seed, level, policy: problem.policy, habits };
          assert.deepEqual(refused, [], JSON.stringify(who));
          assert.equal(points, max);
        }
      }
    }
  });
}

test('whoever rounds to one digit less has rounded early, and hardly ever seems wrong or mistaken', () => {
  const told = { early: 0, cells: 0, others: /** @type {string[]} */ ([]) };
  for (const recipe of RECIPES) {
    for (const seed of seeds(100, 3)) {
      const level = LEVELS[seed % LEVELS.length];
      const problem = problemOf(recipe, { seed, level, digits: 3 });
      const random = chance(seed);
      const habits = { ...habitsOf({ digits: 2 }, random), digits: 2, squaresFirst: false };
      const { cells } = marked(problem, answersOf(problem, habits, random));
      for (const [cell, { state }] of Object.entries(cells)) {
        told.cells += 1;
        told.early += Number(state === 'early-rounding');
        if (['right', 'early-rounding', 'carried'].includes(state)) continue;
        told.others.push(`${recipe}, ${level}, seed ${seed}: ${cell}: ${state}`);
      }
    }
  }
  assert.ok(told.early > told.cells / 20, `${told.early} of ${told.cells}`);
  assert.ok(told.others.length <= told.cells / 100, told.others.join('\n'));
});
