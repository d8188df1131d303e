// Every number that a problem publishes, the right ones and those of each mistake, against the same worked out by hand.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { IN_STEP } from '../../bindings/learn/exercises/problem/misconceptions.js';
import { BY_HAND, workedOut } from './by-hand.js';
import { LEVELS, MISCONCEPTIONS, problemOf, RECIPES, seeds } from './setup.js';

/** Between float32 and float64. */
const NEAR = 1e-4;
/** @param {number} a @param {number} b @param {number} [more] */
const agree = (a, b, more = 0) =>
  Object.is(a, b) || Math.abs(a - b) <= more + NEAR * Math.max(1, Math.abs(b));

test('by hand, each recipe is worked out, and each mistake is made in one of them at least', () => {
  assert.deepEqual(Object.keys(BY_HAND).sort(), [...RECIPES].sort());
  const made = new Set(Object.values(BY_HAND).flatMap(({ mistakes }) => mistakes));
  assert.deepEqual([...made].sort(), [...MISCONCEPTIONS].sort());
});

for (const recipe of RECIPES) {
  describe(recipe, () => {
    /** @type {Set<string>} */
    const seen = new Set();
    let problems = 0;
    for (const level of LEVELS) {
      test(`${level}: solution and misconceptions are those that are worked out by hand`, () => {
        for (const seed of seeds(40, 4)) {
          const problem = problemOf(recipe, { seed, level });
          const where = `${recipe}, ${level}, seed ${seed}`;
          problems += 1;
          const right = workedOut(problem);
          assert.deepEqual(Object.keys(problem.solution), problem.asked, where);
          for (const [cell, { value }] of Object.entries(problem.solution)) {
            assert.ok(agree(value, right[cell]), `${where}: ${cell}: ${value}, not ${right[cell]}`);
          }
          for (const [cell, value] of Object.entries(problem.shown)) {
            assert.ok(agree(value, right[cell]), `${where}: ${cell}: ${value}, not ${right[cell]}`);
          }
          for (const [mistake, cells] of Object.entries(problem.misconceptions)) {
            seen.add(mistake);
            const wrong = workedOut(problem, mistake);
            for (const cell of problem.asked) {
              /* What is not published lies within the band of the right number. */
              const { value, band } = problem.solution[cell];
              const [said, more] = cell in cells ? [cells[cell], 0] : [value, band];
              const due = wrong[cell];
              assert.ok(
                agree(said, due, more),
                `${where}: ${mistake}: ${cell}: ${said}, not ${due}`,
              );
            }
          }
        }
      });
    }

    after(() => {
      const due = BY_HAND[recipe].mistakes;
      const others = [...seen].filter((name) => !BY_HAND[recipe].mistakes.includes(name));
      assert.deepEqual({ problems: problems > 0, others }, { problems: true, others: [] });
      assert.deepEqual(
        due.filter((name) => !seen.has(name) && !IN_STEP.includes(name)),
        [],
        `${recipe}: mistakes that no problem has`,
      );
    });
  });
}

test('in induction by hand, the likeliest token is the one that followed the copy', () => {
  for (const seed of seeds(40, 8)) {
    const problem = problemOf('induction', { seed });
    const { tokens, memory } = problem;
    const logits = memory.map((_, i) => workedOut(problem)[`logits[0,${i}]`]);
    const likeliest = memory[logits.indexOf(Math.max(...logits))];
    assert.equal(likeliest, tokens[tokens.indexOf(tokens.at(-1)) + 1], `seed ${seed}`);
  }
});
