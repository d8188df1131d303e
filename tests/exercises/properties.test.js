// What marking promises whatever is written: one slip is charged once, what makes the rest trivial earns nothing, and
// neither order, nor what was marked before, nor the way in which a number is written changes a mark.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { workedOut } from './by-hand.js';
import { chance, penOf, rounded, roundingOf, slipAt, written } from './learner.js';
import { marked, problemOf, RECIPES, rightAnswers, seeds } from './setup.js';

/** @param {ReturnType<typeof chance>} random @param {number} digits
 * @returns {import('./learner.js').Habits} */
const habitsOf = (random, digits) => ({
  digits,
  even: random.below(2) === 1,
  notes: random.below(2) === 1,
  shifted: random.below(2) === 1,
  squaresFirst: random.below(2) === 1,
  fractions: false,
});

/** Marks without what is said about them. @param {any} problem @param {Record<string, any>} answers */
function marksOf(problem, answers) {
  const { points, max, cells } = marked(problem, answers);
  const states = Object.entries(cells).map(([cell, mark]) => [cell, mark.state, mark.points]);
  return { points, max, states };
}

const WAYS = [
  (x) => x + 1,
  (x) => x - 1,
  (x) => x + 0.1,
  (x) => x - 0.5,
  (x) => x + 3,
  (x) => -x,
  (x) => 10 * x,
];

describe('one slip in one cell costs one cell at most', () => {
  for (const recipe of RECIPES) {
    test(recipe, () => {
      let slips = 0;
      for (const seed of seeds(200, 4)) {
        const digits = 2 + (seed % 3);
        const problem = problemOf(recipe, { seed, digits, level: seed % 2 ? 'steps' : 'faded' });
        for (const [way, change] of WAYS.entries()) {
          const random = chance(seed, way);
          const cell = random.pick(problem.asked);
          const habits = habitsOf(random, problem.policy.digits);
          const pen = penOf(
            habits,
            slipAt(cell, (x) => roundingOf(habits)(change(x))),
          );
          const numbers = workedOut(problem, '', pen);
          const answers = problem.asked.map((one) => [one, written(numbers[one], null, random)]);
          /* A slip may make no number, such as a word that is none. */
          if (
            problem.asked.some((one) => Number.isNaN(numbers[one]) || numbers[one] === Infinity)
          ) {
            continue;
          }
          slips += 1;
          const { states } = marksOf(problem, Object.fromEntries(answers));
          const lost = states.filter(([, , some]) => some < 1);
          const where = `seed ${seed}, ${problem.level}, ${cell} to ${numbers[cell]}`;
          const cells = lost.reduce((sum, [, , some]) => sum + 1 - some, 0);
          /* A slip may make the numbers of a mistake, which is more than a slip. */
          if (states.some(([, state]) => state.startsWith('misconception:'))) continue;
          assert.ok(cells <= 1, `${where}: ${JSON.stringify(lost)}`);
        }
      }
      assert.ok(slips);
    });
  }
});

/** What fills a step so that what follows is soon computed.
 * @type {Record<string, (index: number[]) => number>} */
const STOCK = {
  zeros: () => 0,
  ones: () => 1,
  thirds: () => 0.33,
  identity: (index) => Number(new Set(index.slice(-2)).size === 1),
};

/** Seeds at which a known mistake makes, by chance, a part of what is filled in. */
const PARTLY = [3, 4, 13, 35, 40];

/** @param {string} cell */
const stepOf = (cell) => cell.slice(0, cell.indexOf('['));

describe('stock answers earn nothing for what follows from them', () => {
  for (const [recipe, steps] of Object.entries({
    attention: ['q', 'k', 'scores', 'scores.scaled', 'weights'],
    'causal-attention': ['scores', 'weights'],
    'two-heads': ['scores', 'weights', 'mix'],
    'cross-entropy': ['probabilities'],
    'feed-forward': ['hidden', 'activation'],
  })) {
    for (const [name, number] of Object.entries(STOCK)) {
      test(`${recipe}: ${name}`, () => {
        for (const seed of new Set([...PARTLY, ...seeds(50, 3)])) {
          const problem = problemOf(recipe, { seed });
          for (const step of steps) {
            const fill = (numbers, index = []) =>
              Array.isArray(numbers)
                ? numbers.map((part, i) => fill(part, [...index, i]))
                : number(index);
            const write = (own, numbers) => (own === step ? fill(numbers) : numbers);
            const pen = { write, note: (x) => x, shifted: true };
            const stock = workedOut(problem, '', pen);
            const right = workedOut(problem);
            /* One wrong cell is a slip, whatever stands around it. */
            const wrong = problem.asked.filter(
              (cell) => stepOf(cell) === step && Math.abs(stock[cell] - right[cell]) > 0.01,
            );
            if (wrong.length < 2) continue;
            /* What a mistake makes of the whole step cannot be told from it. */
            const filled = problem.asked.filter((cell) => stepOf(cell) === step);
            const isMade = Object.keys(problem.misconceptions).some((mistake) => {
              const made = workedOut(problem, mistake);
              return filled.every((cell) => Math.abs(made[cell] - stock[cell]) < 0.005);
            });
            if (isMade) continue;
            const digits = (x) => (Number.isFinite(x) ? rounded(x, 2, false) : x);
            const cells = problem.asked.map((cell) => [
              cell,
              written(digits(stock[cell]), null, chance(1)),
            ]);
            const { states } = marksOf(problem, Object.fromEntries(cells));
            for (const [cell, state] of states) {
              const same = Math.abs(stock[cell] - right[cell]) < 0.5;
              const where = `seed ${seed}, ${step}: ${cell} ${stock[cell]}`;
              if (!same && stepOf(cell) !== step) assert.notEqual(state, 'carried', where);
            }
          }
        }
      });
    }
  }
});

/** Answers with two numbers that are wrong, one that cannot be read, one missing.
 * @param {any} problem @param {ReturnType<typeof chance>} random */
function someAnswers(problem, random) {
  const cells = random.shuffled(problem.asked);
  const changed = {
    [cells[0]]: '7.25',
    [cells.at(-1)]: '−1',
    ...(cells.length > 6 && { [cells[1]]: '1.2.3', [cells[2]]: '' }),
  };
  return { ...rightAnswers(problem), ...changed };
}

test('numbers that a mistake makes are not of another variant, though it has many of them', () => {
  const [problem, variant] = [7, 4].map((seed) => problemOf('induction', { seed }));
  const numbers = workedOut(problem, 'next-for-previous');
  const texts = Object.fromEntries(problem.asked.map((cell) => [cell, numbers[cell].toFixed(2)]));
  const variants = [problem, variant];
  assert.deepEqual(marked(problem, texts, { variants }), marked(problem, texts));
  const theirs = marked(problem, rightAnswers(variant), { variants });
  assert.equal(theirs.variant, variant.seed);
});

test('the order of answers and what was marked before change no mark', () => {
  const problems = RECIPES.map((recipe) => problemOf(recipe, { seed: 5 }));
  const answers = problems.map((problem, i) => someAnswers(problem, chance(i)));
  const first = problems.map((problem, i) => marked(problem, answers[i]));
  assert.ok(first.some(({ points, max }) => points < max));
  for (const i of chance(1).shuffled([...problems.keys()])) {
    const shuffled = Object.fromEntries(chance(i, 2).shuffled(Object.entries(answers[i])));
    assert.deepEqual(marked(problems[i], shuffled), first[i], RECIPES[i]);
  }
});

test('a problem that was written to a file and read again is marked alike', () => {
  for (const [i, recipe] of RECIPES.entries()) {
    const problem = problemOf(recipe, { seed: 6 });
    const answers = someAnswers(problem, chance(i));
    const again = JSON.parse(JSON.stringify(problem));
    assert.deepEqual(marked(again, answers), marked(problem, answers), recipe);
  }
});

/** The same number in other words. @type {Record<string, (x: number) => string>} */
const NOTATIONS = {
  comma: (x) => String(x).replace('.', ','),
  minus: (x) => String(x).replace('-', '−'),
  blanks: (x) => `  ${String(x).replace('-', '- ')} `,
  plus: (x) => (x > 0 ? `+${x}` : String(x)),
  exponent: (x) => x.toExponential(),
  fraction: (x) => `${Math.round(x * 1000)}/1000`,
  division: (x) => `(${x}) ÷ 1`,
  product: (x) => `2·${x < 0 ? `(${x})` : x}/2`,
  root: (x) => (x < 0 ? `-√(${x * x})` : `√(${x * x})`),
};

test('however a number is written, its mark is that of the decimal', () => {
  for (const [i, recipe] of RECIPES.entries()) {
    const problem = problemOf(recipe, { seed: 7 });
    const numbers = Object.entries(problem.solution)
      .filter(([, { value }]) => Number.isFinite(value))
      .map(([cell, { value }], k) => [cell, rounded(value + (k % 5 === i % 5 ? 1 : 0), 3, false)]);
    const due = marksOf(problem, Object.fromEntries(numbers));
    const plain = marksOf(
      problem,
      Object.fromEntries(numbers.map(([cell, x]) => [cell, String(x)])),
    );
    assert.deepEqual(plain, due, recipe);
    for (const [name, notation] of Object.entries(NOTATIONS)) {
      const texts = Object.fromEntries(numbers.map(([cell, x]) => [cell, notation(Number(x))]));
      assert.deepEqual(marksOf(problem, texts), due, `${recipe}: ${name}`);
    }
  }
});

test('nothing written is no point and no mistake; everything right is every point', () => {
  for (const recipe of RECIPES) {
    const problem = problemOf(recipe, { seed: 8 });
    const { points, max, cells, findings, next } = marked(problem, {});
    const worth = Object.values(problem.points).reduce((a, b) => a + b);
    assert.deepEqual([points, max, findings], [0, worth, []], recipe);
    assert.ok(Object.values(cells).every(({ state }) => state === 'empty'));
    assert.equal(next?.cell, problem.asked[0]);
    const right = marked(problem, rightAnswers(problem));
    assert.deepEqual([right.points, right.next], [max, null], recipe);
  }
});
