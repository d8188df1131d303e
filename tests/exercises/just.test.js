// What each kind of learner earns, over all recipes and levels: whoever works rightly everything, whoever forgets the idea or
// fills in numbers that nobody computed little.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LEARNERS, sheetsOf } from './cheaters.js';
import { pointsFor, problemOf, seeds } from './setup.js';

/** A sheet whose right numbers happen to be nearly those of a cheater earns more, but no more than this beside. */
const CHANCE = 0.2;
/** The part of the sheets that may be such, and that may earn even more. */
const RARELY = 0.01;
const HARDLY_EVER = 0.001;
/** What one of two numbers earns, which is 0 within its band. */
const ONE_OF_TWO = 0.5;

/** Sheets of each row in a full run. */
const SHEETS = 10_000;

/** What each kind of learner has earned. */
const earned = new Map(
  Object.entries(LEARNERS).map(([name, { bounds }]) => [
    name,
    {
      bounds,
      most: Math.min(1, bounds.each + (bounds.least ? 0 : CHANCE)),
      sum: 0,
      sheets: 0,
      /** @type {string[]} */ above: [],
      /** @type {string[]} */ beyond: [],
      /** @type {string[]} */ accused: [],
    },
  ]),
);
for (const { name, problem, answers, marks, part } of sheetsOf(seeds(5000, 1), { most: SHEETS })) {
  const kind = earned.get(name);
  const { bounds, above, beyond, accused } = kind;
  const { recipe, level, seed, asked } = problem;
  /* Nobody can tell a number that is right by chance. */
  if (
    !bounds.least &&
    !bounds.fair &&
    Object.values(marks.cells).every(({ state }) => state === 'right')
  )
    continue;
  const most = asked.length === 2 ? Math.max(kind.most, ONE_OF_TWO) : kind.most;
  const where = () =>
    `${part}: ${JSON.stringify({ recipe, level, seed, steps: marks.steps, answers })}`;
  const isAccused = Object.values(marks.cells).some(({ misconception }) => misconception);
  if (bounds.fair && isAccused) accused.push(where());
  if (part > bounds.each) above.push(where());
  if (part > most || part < (bounds.least ?? 0)) beyond.push(where());
  kind.sum += part;
  kind.sheets += 1;
}

for (const [name, { bounds, most, sum, sheets, above, beyond, accused }] of earned) {
  test(name, () => {
    const few = bounds.least ? 0 : HARDLY_EVER * sheets;
    assert.ok(
      beyond.length <= few,
      `not from ${bounds.least ?? 0} to ${most}:\n${beyond.join('\n')}`,
    );
    assert.ok(sheets > 0);
    assert.ok(above.length <= Math.max(1, RARELY * sheets), above.join('\n'));
    const mean = sum / sheets;
    assert.ok(mean <= (bounds.mean ?? 1) && mean >= (bounds.fair ?? 0), `${mean} on average`);
    assert.ok(accused.length <= (RARELY / 2) * sheets, `accused:\n${accused.join('\n')}`);
  });
}

test('each step one number throughout: not even what follows earns points', () => {
  const problem = problemOf('one-query', { seed: 1 });
  const equal = problem.asked.map((cell) => [cell, cell.startsWith('weights') ? '0.33' : '0']);
  assert.equal(pointsFor(problem, Object.fromEntries(equal)).points, 0);
  const masked = problemOf('padding-mask', { seed: 1 });
  const all = masked.asked.map((cell) => [cell, '-inf']);
  assert.equal(pointsFor(masked, Object.fromEntries(all)).points, 0);
});

test('each step one number throughout, by one slip: all that follows earns its points', () => {
  const problem = problemOf('one-query', { seed: 125 });
  const answers = '-1 -1 -1 -0.5 -0.5 -0.5 0.33 0.33 0.33 2.33 2.33'.split(' ');
  const cells = Object.fromEntries(problem.asked.map((cell, i) => [cell, answers[i]]));
  const marks = pointsFor(problem, cells).cells;
  const wrong = problem.asked.filter((cell) => marks[cell].points < 1);
  assert.deepEqual(wrong, ['scores[0,0]']);
});

test('a single number is a mistake that makes it to its last digit, not one rounded too early', () => {
  const problem = problemOf('noam-rate', { seed: 12, level: 'faded', digits: 2 });
  const { state } = pointsFor(problem, { 'rate[0]': '0.07', 'rate[1]': '0.05' }).cells['rate[0]'];
  assert.equal(state, 'misconception:warmup-power');
});

/** The marks of a sheet whose cells are in the order of working. @param {any} problem @param {string} texts */
const marksOf = (problem, texts) => {
  const answers = texts.split(' ');
  return pointsFor(problem, Object.fromEntries(problem.asked.map((cell, i) => [cell, answers[i]])));
};

test("two lucky numbers of a neighbour's step carry nothing", () => {
  const problems = Array.from({ length: 12 }, (_, i) => problemOf('weights', { seed: i + 1 }));
  const parts = problems.map((problem, i) => {
    const { solution } = problems[(i + 1) % problems.length];
    const answers = problem.asked.map((cell) => [cell, solution[cell].value.toFixed(2)]);
    const { points, max } = pointsFor(problem, Object.fromEntries(answers));
    return points / max;
  });
  assert.ok(Math.max(...parts) <= 0.25, parts.join());
});

test('own scores and the rest of another variant earn no more than the scores, and what fits', () => {
  const [own, other] = [1, 2].map((seed) => problemOf('weights', { seed }));
  const answers = own.asked.map((cell) => [
    cell,
    (cell.startsWith('scores[') ? own : other).solution[cell].value.toFixed(2),
  ]);
  const { points } = pointsFor(own, Object.fromEntries(answers), { variants: [own, other] });
  assert.ok(points <= 1.25, String(points));
});

const SCORES = '3 4 5 7 1 -3 1 1 -5 1.5 2 2.5 3.5 0.5 -1.5 0.5 0.5 -2.5';

test('a row in one decimal has too few digits, and no row beside it is lost', () => {
  const problem = problemOf('weights', { seed: 6 });
  const { points, cells } = marksOf(problem, `${SCORES} 0.19 0.31 0.51 0.95 0.05 0.01 0.5 0.5 0`);
  const last = [0, 1, 2].map((i) => cells[`weights[2,${i}]`].state);
  /* 0.5 is within the band of 0.49, and 0 is right in one decimal. */
  assert.ok(
    last.every((state) => ['right', 'few-digits'].includes(state)),
    last.join(),
  );
  assert.ok(points >= 3.6, String(points));
});

test('a known mistake in one row costs that row', () => {
  const problem = problemOf('weights', { seed: 6 });
  const { steps, cells } = marksOf(
    problem,
    `${SCORES} 0.09 0.24 0.67 0.95 0.05 0.01 0.49 0.49 0.02`,
  );
  assert.equal(cells['weights[0,0]'].misconception, 'no-scaling');
  assert.equal(steps.weights.points, 1.33);
});

test('own first steps and the rest of another variant are told so where the list is known', () => {
  for (const [recipe, steps] of [
    ['causal-attention', ['scores', 'scores.scaled']],
    ['attention', ['q', 'k']],
  ]) {
    const problems = Array.from({ length: 8 }, (_, i) => problemOf(recipe, { seed: i + 1 }));
    for (const [i, problem] of problems.entries()) {
      const other = problems[(i + 1) % problems.length];
      const answers = problem.asked.map((cell) => {
        const { value } = (steps.includes(cell.split('[')[0]) ? problem : other).solution[cell];
        return [cell, value === -Infinity ? '-inf' : value.toFixed(2)];
      });
      const marks = pointsFor(problem, Object.fromEntries(answers), { variants: problems });
      assert.equal(marks.variant, other.seed, `${recipe}, ${problem.seed}`);
      assert.ok(marks.points / marks.max < 0.35, `${recipe}, ${problem.seed}: ${marks.points}`);
    }
  }
});
