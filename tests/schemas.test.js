// What the command line writes is as docs/schemas say, for every recipe; what is wrong in one place is refused.

import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import Ajv from 'ajv/dist/2020.js';
import { WORDS } from '../bindings/generated/checker-words.js';
import { misconceptions, recipes } from '../bindings/learn/exercises/index.js';
import { call } from './bindings/cli/call.js';
import { LESSONS } from './checker/lessons.js';
import { mutated } from './checker/texts.js';

const folder = path.resolve(import.meta.dirname, '../docs/schemas');
const schemas = Object.fromEntries(
  readdirSync(folder).map((file) => [
    file.replace('.schema.json', ''),
    JSON.parse(readFileSync(path.join(folder, file), 'utf8')),
  ]),
);
const ajv = new Ajv({ allErrors: true, schemas: Object.values(schemas) });

/** @param {string} name @param {unknown} value */
function fits(name, value) {
  const validate = ajv.getSchema(`${name}.schema.json`);
  return validate(value) ? [] : validate.errors.map((e) => `${e.instancePath} ${e.message}`);
}

const made = mkdtempSync(path.join(tmpdir(), 'glassformer-schemas-'));
after(() => rmSync(made, { recursive: true }));
let files = 0;

/** A file that holds a value. @param {unknown} value */
function dataOf(value) {
  const file = path.join(made, `${files++}.json`);
  writeFileSync(file, JSON.stringify(value));
  return file;
}

/** What a command writes. @param {string[]} args @param {string} input */
async function json(args, input = '') {
  const { stdout, stderr } = await call(args, { input });
  assert.equal(stderr, '');
  return JSON.parse(stdout);
}

/** Answers of somebody who writes one cell rightly, others wrongly, one illegibly, and leaves the rest.
 * @param {any} problem */
function answersTo({ asked, solution, misconceptions }) {
  const [mistake = {}] = Object.values(misconceptions);
  const cells = Object.fromEntries(
    asked.map((cell, i) => [
      cell,
      [mistake[cell] ?? solution[cell].value, '1,2,3', '7'][i % 4] ?? '',
    ]),
  );
  return { cells: { ...cells, [asked[0]]: String(solution[asked[0]].value) } };
}

describe('problems, answers and marks', () => {
  for (const { name } of recipes()) {
    test(name, async () => {
      for (const level of ['steps', 'faded', 'end']) {
        const quiz = await json(['quiz', name, '--level', level, '--count', '2']);
        assert.deepEqual(fits('quiz', quiz), []);
        assert.deepEqual(fits('problem', quiz[0]), []);
        const answers = quiz.map(answersTo);
        assert.deepEqual(fits('answers', answers), []);
        assert.deepEqual(fits('answers', answers[0]), []);
        for (const [of, marked] of [
          [quiz, answers],
          [quiz[0], answers[0]],
        ]) {
          const [problemFile, answersFile] = [of, marked].map(dataOf);
          const result = await json(['mark', problemFile, answersFile, '--json']);
          assert.deepEqual(fits('result', result), []);
        }
      }
    });
  }
});

describe('checked texts', () => {
  for (const lesson of Object.keys(LESSONS)) {
    test(lesson, async () => {
      for (let seed = 1; seed <= 12; seed++) {
        const { text } = mutated(seed, lesson);
        assert.deepEqual(
          fits('check', await json(['check', '-', '--json'], `${text}\n[1, 2, ...]`)),
          [],
        );
      }
    });
  }
});

test('lists of names are those of the code', () => {
  const { properties } = schemas.problem;
  const names = misconceptions().map(({ name }) => name);
  assert.deepEqual(
    properties.recipe.enum,
    recipes().map(({ name }) => name),
  );
  assert.deepEqual(properties.misconceptions.propertyNames.enum, names);
  const { mark } = schemas.result.$defs;
  assert.deepEqual(mark.properties.misconception.enum, names);
  const [causes, mistakes] = schemas.check.$defs.flag.properties.cause.anyOf;
  assert.deepEqual(causes.enum, Object.keys(WORDS.en.causes));
  assert.deepEqual(
    mistakes.enum,
    Object.keys(WORDS.en.misconceptions).map((name) => `misconception:${name}`),
  );
});

describe('what is wrong in one place is refused', () => {
  /** @type {Record<string, [unknown, ((value: any) => void)[]]>} */
  const wrong = {
    problem: [
      null,
      [
        (p) => delete p.seed,
        (p) => (p.recipe = 'score'),
        (p) => (p.seed = -1),
        (p) => (p.level = 'hard'),
        (p) => (p.policy = { digits: 7 }),
        (p) => (p.policy = { digits: 2, exact: true }),
        (p) => (p.given = {}),
        (p) => (p.given.x = [['1']]),
        (p) => p.asked.push('scores'),
        (p) => p.asked.push(p.asked[0]),
        (p) => (p.solution['q[0,0]'].band = -1),
        (p) => (p.solution['q[0,0]'] = 1),
        (p) => (p.solution['q[0,0]'].value = null),
        (p) => (p.misconceptions.other = {}),
        (p) => (p.title = ''),
      ],
    ],
    answers: [
      { cells: { 'q[0,0]': '1' } },
      [
        (a) => delete a.cells,
        (a) => (a.cells = []),
        (a) => (a.cells['q[0,0]'] = null),
        (a) => (a.cells.q = '1'),
      ],
    ],
    result: [
      null,
      [
        (r) => delete r.max,
        (r) => (r.points = -1),
        (r) => (r.cells = {}),
        (r) => (r.cells['q[0,0]'].state = 'fine'),
        (r) => (r.cells['q[0,0]'].state = 'misconception:other'),
        (r) => (r.cells['q[0,0]'].points = 2),
        (r) => delete r.cells['q[0,0]'].message,
        (r) => (r.next = undefined),
      ],
    ],
    check: [
      null,
      [
        (c) => delete c.notUnderstood,
        (c) => (c.flags[0].line = 0),
        (c) => (c.flags[0].cause = 'other'),
        (c) => (c.flags[0].computed = '4'),
        (c) => delete c.flags[0].corrected,
        (c) => (c.relations[0].relation = 'guess'),
        (c) => (c.flags[0].more = 1),
      ],
    ],
  };
  for (const [name, [value, ways]] of Object.entries(wrong)) {
    test(name, async () => {
      const [problem] = await json(['quiz', 'attention']);
      const right =
        value ??
        {
          problem,
          result: await json(['mark', dataOf(problem), dataOf(answersTo(problem)), '--json']),
          check: await json(['check', '-', '--json'], 'Loss = 2 + 2 = 5'),
        }[name];
      assert.deepEqual(fits(name, right), []);
      for (const way of ways) {
        const copy = structuredClone(right);
        way(copy);
        assert.notDeepEqual(fits(name, JSON.parse(JSON.stringify(copy))), [], `${way}`);
      }
    });
  }
  test('an empty quiz', () => assert.notDeepEqual(fits('quiz', []), []));
});
