// JavaScript and Python mark the sheets of mark-cases.json alike, and others with anything in their cells: the state and the points
// of every cell, and those of steps.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { exportQuiz } from '../../bindings/learn/exercises/index.js';
import { each, workedOut } from './by-hand.js';
import { chance, penOf, written } from './learner.js';
import { gf, LEVELS, marked, problemOf, RECIPES } from './setup.js';
import { unzipped } from './unzipped.js';

const here = import.meta.dirname;
const CASES = JSON.parse(readFileSync(path.join(here, 'mark-cases.json'), 'utf8'));

/** An answer that is missing. */
const NONE = '_';

/** Sheets of each problem with anything in a third of their cells. */
const NOISY = 3;
const TEXTS = ['', '0', '1/3', '√2', '2 1/2', '50%', 'abc', '1e-3', '−∞', '∞', '1.2.3', '.'];
const POLICIES = [{ digits: 2 }, { significant: 3 }, { digits: 3 }, {}];

/** @param {any} problem @param {ReturnType<typeof chance>} random */
function noisyCells({ asked, solution }, random) {
  const textIn = (/** @type {string} */ cell) => {
    const { value } = solution[cell];
    if (random.below(3)) return Number.isFinite(value) ? value.toFixed(4) : '−∞';
    const near = [-value, value * 1.1, value + 0.01].map((x) => x.toFixed(3));
    const other = solution[random.pick(asked)].value.toFixed(2);
    return random.pick([...TEXTS, ...near, other, value.toFixed(1).replace('.', ',')]);
  };
  return Object.fromEntries(asked.map((/** @type {string} */ cell) => [cell, textIn(cell)]));
}

/** Ways to go wrong at the start and right from there on: in the first step, by cutting digits off, or in the first given number.
 * @type {Record<string, (problem: any) => Record<string, number>>} */
const STARTS = {
  'an unknown mistake': (problem) => {
    const [first] = problem.asked[0].split('[');
    const write = (step, numbers) => (step === first ? each(numbers, (x) => x + 0.7) : numbers);
    return workedOut(problem, '', penOf({ digits: 2 }, write));
  },
  'rounded down': (problem) => {
    const write = (_, numbers) => each(numbers, (x) => Math.trunc(100 * x + 1e-6) / 100);
    return workedOut(problem, '', penOf({ digits: null }, write));
  },
  misread: (problem) => {
    const [[name, numbers]] = Object.entries(problem.given);
    let isFirst = true;
    const put = (x) => {
      const is = isFirst;
      isFirst = false;
      return is ? x + 1 : x;
    };
    const given = { ...problem.given, [name]: each(numbers, put) };
    return workedOut({ ...problem, given }, '', penOf({ digits: 2 }));
  },
};

test('JavaScript and Python give the same marks', async () => {
  /** @type {Map<string, number>} */
  const places = new Map();
  const problems = [];
  const sheets = CASES.map(({ what, recipe, seed, level, cells: texts }) => {
    const key = `${recipe} ${seed} ${level}`;
    if (!places.has(key)) places.set(key, problems.push(problemOf(recipe, { seed, level })) - 1);
    const variant = Number(places.get(key));
    const problem = problems[variant];
    const parts = texts.split(' ');
    assert.equal(parts.length, problem.asked.length, key);
    const cells = problem.asked.map((cell, i) => [cell, parts[i] === NONE ? '' : parts[i]]);
    return { what: `${what}: ${key}`, variant, cells: Object.fromEntries(cells), together: false };
  });
  /* The first of each recipe's sheets, handed in for the other variant. */
  const others = RECIPES.flatMap((recipe) => {
    const [one, two] = problems.flatMap((problem, i) => (problem.recipe === recipe ? [i] : []));
    const sheet = sheets.find(({ variant }) => variant === one);
    if (!sheet || problems[two]?.asked.join() !== problems[one].asked.join()) return [];
    return [{ ...sheet, what: `${recipe}: another variant`, variant: two, together: true }];
  });
  /* Their own first step, and the rest of the other variant. */
  const mixed = others.flatMap((sheet) => {
    const [first] = problems[sheet.variant].asked[0].split('[');
    const { solution } = problems[sheet.variant];
    const isFirst = (/** @type {string} */ cell) => cell.startsWith(`${first}[`);
    const cells = Object.entries(sheet.cells).map(([cell, text]) => [
      cell,
      isFirst(cell) && Number.isFinite(solution[cell].value)
        ? solution[cell].value.toFixed(3)
        : text,
    ]);
    return [
      {
        ...sheet,
        what: `${sheet.what}, and one step of its own`,
        cells: Object.fromEntries(cells),
      },
    ];
  });
  const noisy = RECIPES.flatMap((recipe, k) =>
    LEVELS.flatMap((level, i) => {
      const seed = k + 1;
      const problem = problemOf(recipe, { seed, level, ...POLICIES[(seed + i) % POLICIES.length] });
      const variant = problems.push(problem) - 1;
      const random = chance(seed, i);
      return Array.from({ length: NOISY }, (_, n) => ({
        what: `noise: ${recipe} ${seed} ${level} ${n}`,
        variant,
        cells: noisyCells(problem, random),
        together: false,
      }));
    }),
  );
  const started = RECIPES.flatMap((recipe) =>
    Object.entries(STARTS).flatMap(([what, numbersOf]) => {
      const problem = problemOf(recipe, { seed: 3 });
      const numbers = numbersOf(problem);
      if (problem.asked.some((cell) => !(numbers[cell] >= -Infinity))) return [];
      const variant = problems.push(problem) - 1;
      const cells = problem.asked.map((cell) => [cell, written(numbers[cell], 2, chance(1))]);
      const sheet = { what: `${what}: ${recipe}`, variant, cells: Object.fromEntries(cells) };
      return [false, true].map((together) => ({ ...sheet, together }));
    }),
  );
  const all = [...sheets, ...others, ...mixed, ...noisy, ...started];
  const folder = mkdtempSync(path.join(tmpdir(), 'glassformer-marks-'));
  try {
    const [{ data }] = await exportQuiz(gf, problems, { format: 'prairielearn' });
    for (const [name, bytes] of unzipped(data))
      writeFileSync(path.join(folder, path.basename(name)), bytes);
    const input = JSON.stringify(all);
    const options = /** @type {const} */ ({ input, encoding: 'utf8', maxBuffer: 2 ** 28 });
    const program = path.join(here, 'mark-cases.py');
    const told = JSON.parse(execFileSync('python3', [program, folder], options));
    for (const [i, { what, variant, cells, together }] of all.entries()) {
      const marks = marked(problems[variant], cells, together ? { variants: problems } : {});
      const states = Object.entries(marks.cells).map(([cell, one]) => [
        cell,
        one.state === 'unreadable' ? 'empty' : one.state,
        one.points,
        ...(one.state === 'right' && one.follows !== undefined ? ['apart'] : []),
      ]);
      const theirs = Object.entries(told[i].cells).map(([cell, one]) => [cell, ...one]);
      assert.deepEqual(theirs, states, what);
      const steps = Object.entries(marks.steps).map(([step, one]) => [step, one.points, one.max]);
      assert.deepEqual(
        Object.entries(told[i].steps).map(([step, one]) => [step, ...one]),
        steps,
        what,
      );
      assert.equal(told[i].variant ?? undefined, marks.variant, what);
      if (what.startsWith('right')) assert.equal(marks.points, marks.max, what);
    }
    assert.ok(all.length > 480, String(all.length));
    assert.ok(told.some(({ variant }) => variant !== null));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
