// Simulated learners of other kinds than those who work rightly: who forgets an idea, fills in stock answers, copies, or hands in
// another variant. Each says what the sheet may earn.

import { each, workedOut } from './by-hand.js';
import { chance, penOf, rounded, written } from './learner.js';
import { LEVELS, pointsFor, problemOf, RECIPES } from './setup.js';
import { answersOf, habitsFor } from './simulated.js';

/** Steps that hold weights, which somebody may fill in as equal. */
const WEIGHTS = ['weights', 'probabilities'];

/** The part of what is right that is nobody's arithmetic, so that a mark is at most this. @typedef {number} Most */

/** @param {any} problem */
const roundHabits = ({ policy }) => ({
  digits: policy.digits,
  even: false,
  notes: false,
  shifted: true,
  squaresFirst: false,
  fractions: false,
});

/** What is written of numbers that are worked out. @param {any} problem @param {Record<string, number>} numbers */
function writtenOf(problem, numbers, random) {
  const { digits } = problem.policy;
  const cells = problem.asked.map((cell) => [cell, written(numbers[cell], digits, random)]);
  return Object.fromEntries(cells);
}

/** @param {any} problem @param {string} mistake */
const mistaken = (problem, mistake, random) =>
  problem.misconceptions[mistake] &&
  writtenOf(problem, workedOut(problem, mistake, penOf(roundHabits(problem))), random);

/** Each row with one number for what is not 0. @param {any} rows */
function equalised(rows) {
  if (Array.isArray(rows[0])) return rows.map(equalised);
  const n = rows.filter(Boolean).length;
  return rows.map((x) => (x ? 1 / n : 0));
}

/** Equal weights in place of softmax; the rest rightly, or as `rest` has it.
 * @param {any} problem @param {(x: number) => number} rest */
function equalWeights(problem, random, rest) {
  let has = false;
  const pen = penOf(roundHabits(problem), (step, numbers) => {
    if (!WEIGHTS.includes(step)) return each(numbers, rest);
    has = true;
    return each(equalised(numbers), (x) => Math.round(x * 100) / 100);
  });
  const numbers = workedOut(problem, '', pen);
  if (!has || WEIGHTS.some((step) => problem.given[step])) return null;
  /* Where equal weights are right, there is nothing to refuse. */
  const right = workedOut(problem);
  const isRight = (cell) => Math.abs(right[cell] - numbers[cell]) < 0.01 && right[cell] % 1 !== 0;
  if (Object.keys(numbers).some((cell) => WEIGHTS.includes(stepOf(cell)) && isRight(cell)))
    return null;
  return writtenOf(problem, numbers, random);
}

/** Numbers of one decimal, in place of what the sheet asks for. @param {any} numbers */
const coarse = (numbers) => each(numbers, (x) => rounded(x, 1, false));

/** Rounds softmax too far, or what goes into it, and works rightly otherwise; null where no weights are asked.
 * @param {any} problem @param {Partial<import('./by-hand.js').Pen>} pen */
function roundsFar(problem, random, pen) {
  const habits = { ...roundHabits(problem), shifted: random.below(2) === 1 };
  if (!problem.asked.some((cell) => WEIGHTS.includes(stepOf(cell)))) return null;
  const numbers = workedOut(problem, '', { ...penOf(habits), ...pen });
  const cells = problem.asked.map((cell) => [cell, written(numbers[cell], null, random)]);
  return Object.fromEntries(cells);
}

/** @param {any} problem @param {(weights: any) => any} round */
function roundsWeights(problem, random, round) {
  const { write } = penOf(roundHabits(problem));
  return roundsFar(problem, random, {
    write: (step, numbers) => {
      const kept = write(step, numbers);
      return WEIGHTS.includes(step) ? round(kept) : kept;
    },
  });
}

/** @param {string} cell */
const stepOf = (cell) => cell.slice(0, cell.indexOf('['));

/** Numbers of the sheet, flat, by name. @param {any} problem */
const flatGiven = ({ given }) => Object.values(given).map((leaf) => [leaf].flat(3));

/** Each step filled in with given numbers, from the first one on. @param {any} problem */
function copied(problem, random) {
  const given = flatGiven(problem).flat().filter(Number.isFinite);
  const numbers = problem.asked.map((cell, i) => [cell, given[i % given.length]]);
  return writtenOf(problem, Object.fromEntries(numbers), random);
}

/** One asked cell wrong by a few units of its last digit: 0.42 for 0.39.
 * @param {any} problem */
function digitOff(problem, random) {
  const numbers = workedOut(problem, '', penOf(roundHabits(problem)));
  const cells = problem.asked.filter((cell) => Number.isFinite(numbers[cell]));
  const cell = random.pick(cells);
  const { digits } = problem.policy;
  const off = Math.max(3 * problem.solution[cell].band, 3 / 10 ** digits);
  const answers = writtenOf(problem, numbers, random);
  return { ...answers, [cell]: (numbers[cell] + off).toFixed(digits + 1) };
}

/** Right answers to another variant. @param {any} problem */
function neighbours(problem, random) {
  const other = otherOf(problem);
  if (problem.asked.length < 6 || !differ(problem, other)) return null;
  return writtenOf(problem, workedOut(other, '', penOf(roundHabits(problem))), random);
}

/** A part of points. @typedef {{ each: number, mean?: number, least?: number, fair?: number }} Bounds each: at most, or with
 * `least` at least; fair: at least on average, and no known mistake is named */

/**
 * The rows of the table: what a learner writes, or null where the problem has no room for it, and what that may earn.
 * @type {Record<string, { bounds: Bounds, of: (problem: any, random: ReturnType<typeof chance>) =>
 *   Record<string, string> | null, variants?: (problem: any) => any[] }>}
 */
export const LEARNERS = {
  'works rightly': {
    bounds: { each: 1, least: 1 },
    of: (problem, random) => answersOf(problem, habitsFor(problem.policy, random), random),
  },
  'writes −1e9 for −∞, percent and commas': {
    bounds: { each: 1, least: 1 },
    of: (problem, random) => {
      const numbers = workedOut(problem, '', penOf(roundHabits(problem)));
      const cells = problem.asked.map((cell) => {
        const x = numbers[cell];
        if (x === -Infinity) return [cell, '-1e9'];
        if (x > 0 && x < 1)
          return [cell, `${String(Math.round(x * 1e6) / 1e4).replace('.', ',')} %`];
        return [cell, written(x, problem.policy.digits, random)];
      });
      return Object.fromEntries(cells);
    },
  },
  'rounds powers of e to 1 decimal': {
    bounds: { each: 1, fair: 0.85 },
    of: (problem, random) => roundsFar(problem, random, { power: coarse }),
  },
  'rounds weights to 1 decimal': {
    bounds: { each: 1, fair: 0.75 },
    of: (problem, random) => roundsWeights(problem, random, coarse),
  },
  'rounds the last row of weights to 1 decimal': {
    bounds: { each: 1, fair: 0.8 },
    of: (problem, random) =>
      roundsWeights(problem, random, (rows) => [...rows.slice(0, -1), coarse(rows.at(-1))]),
  },
  'forgets √d_k': {
    bounds: { each: 0.8 },
    of: (problem, random) => mistaken(problem, 'no-scaling', random),
  },
  'forgets the mask': {
    bounds: { each: 0.6 },
    of: (problem, random) => mistaken(problem, 'mask-forgotten', random),
  },
  'equal weights in place of softmax': {
    bounds: { each: 0.6 },
    of: (problem, random) => equalWeights(problem, random, (x) => x),
  },
  'all zeros': {
    bounds: { each: 0.2, mean: 0.05 },
    of: (problem) => Object.fromEntries(problem.asked.map((cell) => [cell, '0'])),
  },
  'zeros, −inf, equal weights': {
    bounds: { each: 0.2, mean: 0.05 },
    of: (problem, random) => equalWeights(problem, random, (x) => (x === -Infinity ? x : 0)),
  },
  'copies given numbers': { bounds: { each: 0.5, mean: 0.15 }, of: copied },
  'hands in another variant': {
    bounds: { each: 0.15 },
    variants: (problem) => [problem, otherOf(problem), otherOf(problem, 2)],
    of: neighbours,
  },
  'the same, marked without the list': { bounds: { each: 1, mean: 0.2 }, of: neighbours },
  'one digit off': { bounds: { each: 0.999 }, of: digitOff },
};

/** A neighbour's variant. @param {any} problem */
const otherOf = ({ recipe, seed, level }, more = 1) => drawnOf(recipe, seed + more, level);

/** Whether two variants have the same cells, and other numbers in most of them. @param {any} problem @param {any} other */
const differ = (problem, other) =>
  problem.asked.every((/** @type {string} */ cell) => cell in other.solution) &&
  problem.asked.filter((cell) => {
    const { value, band } = problem.solution[cell];
    return Math.abs(value - other.solution[cell].value) > 2 * band;
  }).length >
    problem.asked.length / 3;

/** Problems that were drawn: a learner with another variant has those of the next two seeds. @type {Map<string, any>} */
const drawn = new Map();
const MOST_DRAWN = 400;

/** @param {string} recipe @param {number} seed @param {typeof LEVELS[number]} level */
function drawnOf(recipe, seed, level) {
  const key = `${recipe} ${seed} ${level}`;
  const problem = drawn.get(key) ?? problemOf(recipe, { seed, level });
  drawn.set(key, problem);
  if (drawn.size > MOST_DRAWN) drawn.delete(drawn.keys().next().value);
  return problem;
}

/** Problems of a recipe and a level after which it is clear that they have no room for a learner. */
const TRIED = 20;

/** A sheet of a learner and its marks; part: the part of all points.
 * @typedef {{ name: string, problem: any, answers: Record<string, string>, marks: any, part: number }} Sheet */

/** The sheets of all kinds of learners, each problem drawn and prepared once.
 * @param {readonly number[]} seeds @param {{ most?: number, recipes?: readonly string[] }} [options] most: of each kind
 * @returns {Generator<Sheet>} */
export function* sheetsOf(seeds, { most = Infinity, recipes = RECIPES } = {}) {
  const counts = new Map(Object.keys(LEARNERS).map((name) => [name, 0]));
  /** The recipes and levels that have room for a kind. @type {Set<string>} */
  const made = new Set();
  for (const [tried, seed] of seeds.entries()) {
    const open = [...counts].flatMap(([name, count]) => (count < most ? [name] : []));
    if (!open.length) return;
    for (const recipe of recipes) {
      for (const level of LEVELS) {
        for (const name of open) {
          const key = `${recipe} ${level} ${name}`;
          if (tried >= TRIED && !made.has(key)) continue;
          const sheet = sheetOf(name, drawnOf(recipe, seed, level), seed);
          if (!sheet) continue;
          made.add(key);
          counts.set(name, 1 + Number(counts.get(name)));
          yield { name, ...sheet };
        }
      }
    }
  }
}

/** What one learner makes of a problem; null where that has no room for it. @param {string} name @param {any} problem @param {number} seed
 * @returns {Omit<Sheet, 'name'> | null} */
function sheetOf(name, problem, seed) {
  const { of, variants } = LEARNERS[name];
  const answers = of(problem, chance(seed, RECIPES.indexOf(problem.recipe)));
  if (!answers) return null;
  const marks = pointsFor(problem, answers, variants && { variants: variants(problem) });
  return { problem, answers, marks, part: marks.points / marks.max };
}
