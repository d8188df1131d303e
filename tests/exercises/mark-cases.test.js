// JavaScript and Python mark the sheets of mark-cases.json alike: the state and the points of every cell, and those of steps.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { exportQuiz } from '../../bindings/learn/exercises/index.js';
import { gf, marked, problemOf, RECIPES } from './setup.js';
import { unzipped } from './unzipped.js';

const here = import.meta.dirname;
const CASES = JSON.parse(readFileSync(path.join(here, 'mark-cases.json'), 'utf8'));

/** An answer that is missing. */
const NONE = '_';

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
  const all = [...sheets, ...others, ...mixed];
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
    assert.ok(all.length > 180, String(all.length));
    assert.ok(told.some(({ variant }) => variant !== null));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
