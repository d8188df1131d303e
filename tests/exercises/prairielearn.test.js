// The question folder for PrairieLearn: its server.py, run as PrairieLearn runs it, marks as mark() does.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { exportQuiz } from '../../bindings/learn/exercises/index.js';
import { sample } from '../support/sample.js';
import { BY_HAND, workedOut } from './by-hand.js';
import { penOf, slipAt } from './learner.js';
import { gf, marked, problemOf, RECIPES, seeds } from './setup.js';
import { unzipped } from './unzipped.js';

const harness = path.join(import.meta.dirname, 'prairielearn.py');
const NEAR = 1e-4;
const decoder = new TextDecoder();
let root = '';
before(() => {
  root = mkdtempSync(path.join(tmpdir(), 'glassformer-prairielearn-'));
});
after(() => rmSync(root, { recursive: true }));

/** The question's files, and where they lie. @param {any[]} problems */
async function unpacked(problems) {
  const [{ data }] = await exportQuiz(gf, problems, { format: 'prairielearn' });
  const files = new Map();
  let folder = '';
  for (const [name, bytes] of unzipped(data)) {
    const place = path.join(root, name);
    folder = path.dirname(place);
    mkdirSync(folder, { recursive: true });
    writeFileSync(place, bytes);
    files.set(path.basename(name), decoder.decode(bytes));
  }
  return { folder, files };
}

/** @param {string} folder @param {{ variant: number, answers: Record<string, string> }[]} cases */
const graded = (folder, cases) =>
  JSON.parse(
    execFileSync('python3', [harness, folder], {
      input: JSON.stringify(cases),
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    }),
  );

/** Answers by the names of the inputs. @param {any} problem @param {Record<string, string>} answers */
const byInput = ({ asked }, answers) =>
  Object.fromEntries(asked.map((cell, i) => [`cell${i + 1}`, answers[cell]]));

/** What somebody writes who rounds in each step. @param {any} problem @param {string} mistake @param {any} [slip] */
function writtenDown(problem, mistake, slip) {
  const { digits } = problem.policy;
  const habits = { digits, even: false, notes: false, shifted: true, squaresFirst: false };
  const cells = workedOut(problem, mistake, penOf({ ...habits, fractions: false }, slip));
  return Object.fromEntries(
    problem.asked.map((cell) => {
      const x = cells[cell];
      if (Number.isFinite(x)) return [cell, x.toFixed(digits)];
      return [cell, x === -Infinity ? '−∞' : ''];
    }),
  );
}

for (const recipe of sample(RECIPES, 8)) {
  describe(recipe, () => {
    test('right answers have all points, mistakes and slips those that mark() gives', async () => {
      const problems = seeds(10, 2).map((seed) => problemOf(recipe, { seed }));
      const { folder } = await unpacked(problems);
      const cases = problems.flatMap((problem, variant) => {
        const slip = slipAt(problem.asked[0], (x) => x + 3);
        return [
          { what: 'right', answers: writtenDown(problem, '') },
          { what: 'slip', answers: writtenDown(problem, '', slip) },
          ...BY_HAND[recipe].mistakes.map((what) => ({
            what,
            answers: writtenDown(problem, what),
          })),
        ].map((one) => ({ ...one, problem, variant }));
      });
      const told = graded(
        folder,
        cases.map(({ problem, variant, answers }) => ({
          variant,
          answers: byInput(problem, answers),
        })),
      );
      for (const [i, { what, problem, answers }] of cases.entries()) {
        const where = `${recipe}, seed ${problem.seed}, ${what}`;
        assert.deepEqual(told[i].format_errors, {}, where);
        const whole = marked(problem, answers, { variants: problems });
        const { cells } = whole;
        if (what === 'right') assert.equal(told[i].score, 1, where);
        for (const [k, cell] of problem.asked.entries()) {
          const { score } = told[i].partial_scores[`cell${k + 1}`];
          const { state, points } = cells[cell];
          assert.equal(score, points, `${where}: ${cell}: ${answers[cell]} is ${state}`);
        }
        assert.ok(Math.abs(told[i].score - whole.points / whole.max) < 1e-9, where);
      }
    });

    test('its numbers are those that are worked out by hand', async () => {
      const problem = problemOf(recipe, { seed: 3 });
      const { variants } = JSON.parse((await unpacked([problem])).files.get('variants.json'));
      const byHand = workedOut(problem);
      for (const { cell, value } of variants[0].cells) {
        const due = byHand[cell];
        assert.ok(
          Object.is(Number(value), due) ||
            Math.abs(value - due) <= NEAR * Math.max(1, Math.abs(due)),
        );
      }
    });
  });
}

test('numbers are read as people write them; what cannot be read costs no attempt', async () => {
  const problem = problemOf('scores');
  const { folder } = await unpacked([problem]);
  const [first] = problem.asked;
  const { value } = problem.solution[first];
  const ways = [
    `${value}`,
    ` ${value},00 `,
    `${2 * value}/2`,
    `${value}√4/2`,
    `${value}.0e0`,
    `${value}·10^0`,
    `(${value} + 1) − 1`,
    `0${value}`.replace('0-', '-0'),
  ];
  const wrong = ['abc', '1..2', '__import__("os")', '9**9**9', '(1', 'sqrt(-1)', '1/0'];
  const cases = [...ways, ...wrong].map((text) => ({ variant: 0, answers: { cell1: text } }));
  const told = graded(folder, cases);
  for (const [i, text] of ways.entries())
    assert.equal(told[i].partial_scores.cell1?.score, 1, text);
  for (const [i, text] of wrong.entries()) {
    const { format_errors: errors, score } = told[ways.length + i];
    assert.match(errors.cell1 ?? '', /not a number|too large|divides by zero|no value/, text);
    assert.equal(score, 0);
  }
});

test('the folder has what PrairieLearn asks for, the same for the same problems', async () => {
  const problems = [1, 2].map((seed) => problemOf('causal-attention', { seed }));
  const { files } = await unpacked(problems);
  const info = JSON.parse(files.get('info.json'));
  assert.match(info.uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(JSON.parse((await unpacked(problems)).files.get('info.json')).uuid, info.uuid);
  assert.notEqual(
    JSON.parse((await unpacked(problems.slice(1))).files.get('info.json')).uuid,
    info.uuid,
  );
  const { variants } = JSON.parse(files.get('variants.json'));
  for (const [i, { cells, asked }] of variants.entries()) {
    const inputs = [...asked.matchAll(/answers-name="(\w+)" aria-label="([^"]+)"/g)];
    assert.deepEqual(
      inputs.map(([, id, cell]) => [id, cell]),
      cells.map(({ id, cell }) => [id, cell]),
    );
    assert.deepEqual(cells.map(({ cell }) => cell).sort(), [...problems[i].asked].sort());
  }
});
