// No right answer is refused: learners who round in each step or at the end, to as many digits as the policy says or
// more, in decimals or fractions, this way or that.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chance } from './learner.js';
import { full, LEVELS, marked, problemOf, RECIPES, seeds } from './setup.js';
import { answersOf, habitsFor, rightLearners } from './simulated.js';

/** Of each problem: 29 recipes, 3 levels, and so many seeds and learners are 2,000, or 100,000. */
const [SEEDS, LEARNERS] = full ? [67, 20] : [3, 9];

for (const recipe of RECIPES) {
  test(`${recipe}: whoever works rightly is right in every cell`, () => {
    const some = seeds(1000, SEEDS).slice(0, SEEDS);
    for (const { problem, habits, answers, marks } of rightLearners(recipe, some, LEARNERS)) {
      const { seed, level, policy, solution } = problem;
      const refused = Object.entries(marks.cells)
        .filter(([, { state }]) => state !== 'right')
        .map(([cell, { state }]) => ({ cell, state, answer: answers[cell], ...solution[cell] }));
      assert.deepEqual(refused, [], JSON.stringify({ recipe, seed, level, policy, habits }));
      assert.equal(marks.points, marks.max);
    }
  });
}

test('a number that its bias nearly takes away may be off by the digits of what it was made of', () => {
  for (const { problem, answers, marks } of rightLearners('layer-norm', [140], 9)) {
    assert.equal(marks.points, marks.max, JSON.stringify({ level: problem.level, answers }));
  }
});

test('whoever rounds to one digit less has rounded early, and hardly ever seems wrong or mistaken', () => {
  const told = { early: 0, cells: 0, others: /** @type {string[]} */ ([]) };
  for (const recipe of RECIPES) {
    for (const seed of seeds(100, 3)) {
      const level = LEVELS[seed % LEVELS.length];
      const problem = problemOf(recipe, { seed, level, digits: 3 });
      const random = chance(seed);
      const habits = { ...habitsFor({ digits: 2 }, random), digits: 2, squaresFirst: false };
      const { cells } = marked(problem, answersOf(problem, habits, random));
      for (const [cell, { state }] of Object.entries(cells)) {
        told.cells += 1;
        told.early += Number(['early-rounding', 'few-digits'].includes(state));
        if (['right', 'early-rounding', 'few-digits', 'carried'].includes(state)) continue;
        told.others.push(`${recipe}, ${level}, seed ${seed}: ${cell}: ${state}`);
      }
    }
  }
  assert.ok(told.early > told.cells / 20, `${told.early} of ${told.cells}`);
  /* Only what explains a number to its digit is called early rounding: a step before that is given may be rounded, too. */
  assert.ok(told.others.length <= told.cells / 40, told.others.join('\n'));
  const mistaken = told.others.filter((one) => one.includes('misconception:'));
  assert.ok(mistaken.length <= told.cells / 200, mistaken.join('\n'));
});
