// Learners who make a mistake that is known by name: it is named, nothing else is, and what they then do rightly
// follows from their numbers. Another slip beside it is found, too.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { BY_HAND, workedOut } from './by-hand.js';
import { chance, penOf, roundingOf, slipAt, written } from './learner.js';
import { full, LEVELS, marked, problemOf, RECIPES, seeds } from './setup.js';

/** How a learner works who rounds to so many decimals.
 * @param {number} digits @param {ReturnType<typeof chance>} random
 * @returns {import('./learner.js').Habits} */
const habitsOf = (digits, random) => ({
  digits,
  even: random.below(2) === 1,
  notes: random.below(2) === 1,
  shifted: random.below(2) === 1,
  squaresFirst: random.below(2) === 1,
  fractions: false,
});

/** @param {string} cell */
const stepOf = (cell) => cell.slice(0, cell.indexOf('['));

/** The states of the cells that a learner writes with a pen.
 * @param {any} problem @param {string} mistake @param {import('./by-hand.js').Pen} pen
 * @param {ReturnType<typeof chance>} random */
function statesOf(problem, mistake, pen, random) {
  const numbers = workedOut(problem, mistake, pen);
  const answers = problem.asked.map((cell) => [cell, written(numbers[cell], null, random)]);
  const { cells } = marked(problem, Object.fromEntries(answers));
  return { numbers, cells: /** @type {Record<string, any>} */ (cells) };
}

const total = { learners: 0, named: 0, wrongly: 0, cells: 0, astray: 0, slips: 0, found: 0 };

describe('mistakes', () => {
  for (const recipe of RECIPES) {
    test(`${recipe}: each mistake is named, and no other`, () => {
      const own = { learners: 0, named: 0, wrongly: 0, cells: 0, astray: 0, slips: 0, found: 0 };
      for (const seed of seeds(1000, 5)) {
        const digits = 2 + (seed % 3);
        const level = LEVELS[Math.floor(seed / 3) % 3];
        const problem = problemOf(recipe, { seed, level, digits });
        for (const mistake of Object.keys(problem.misconceptions)) {
          const random = chance(seed, BY_HAND[recipe].mistakes.indexOf(mistake));
          const habits = habitsOf(digits, random);
          const { numbers, cells } = statesOf(problem, mistake, penOf(habits), random);
          const states = Object.values(cells).map(({ state }) => state);
          const isOther = (state) =>
            /^misconception:/.test(state) && !state.endsWith(`:${mistake}`);
          own.learners += 1;
          own.named += Number(states.includes(`misconception:${mistake}`));
          own.wrongly += Number(states.some(isOther));
          own.cells += states.length;
          const due = ['right', 'carried', `misconception:${mistake}`];
          own.astray += states.filter((state) => !due.includes(state)).length;

          const touched = problem.asked
            .filter((cell) => cells[cell].misconception)
            .map((cell) => stepOf(cell));
          const elsewhere = problem.asked.filter(
            (cell) => !touched.includes(stepOf(cell)) && Number.isFinite(numbers[cell]),
          );
          if (!elsewhere.length) continue;
          const at = random.pick(elsewhere);
          const by = random.pick([-2, -1, -0.5, 0.5, 1, 2]);
          const round = roundingOf(habits);
          const pen = penOf(
            habits,
            slipAt(at, (x) => round(x + by)),
          );
          const slipped = workedOut(problem, mistake, pen);
          /* A slip may make no word of a word, or the right number of a wrong one. */
          const { value, band } = problem.solution[at];
          if (Object.values(slipped).some(Number.isNaN)) continue;
          if (Math.abs(slipped[at] - value) <= 3 * band) continue;
          const { state, points } = statesOf(problem, mistake, pen, random).cells[at];
          own.slips += 1;
          own.found += Number(points < 1 && state !== `misconception:${mistake}`);
        }
      }
      for (const what of Object.keys(total)) total[what] += own[what];
      assert.ok(own.learners, recipe);
      assert.ok(own.named >= 0.95 * own.learners, JSON.stringify(own));
      assert.ok(own.wrongly <= Math.max(full ? 0 : 1, 0.01 * own.learners), JSON.stringify(own));
      assert.ok(own.astray <= 0.01 * own.cells, JSON.stringify(own));
      assert.ok(own.found >= 0.9 * own.slips, JSON.stringify(own));
    });
  }

  after(() => {
    console.log(JSON.stringify(total));
    assert.ok(total.wrongly < 0.01 * total.learners, JSON.stringify(total));
    assert.ok(total.slips > total.learners / 10, JSON.stringify(total));
  });
});
