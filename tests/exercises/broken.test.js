// Problems and answers from files that somebody edited: whatever they hold, marks or an error that says what is wrong.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  exercise,
  exportQuiz,
  formats,
  hints,
  mark,
  misconceptions,
  recipes,
  traceProblem,
  worksheet,
} from '../../bindings/learn/exercises/index.js';
import { chance } from './learner.js';
import { full, gf, problemOf, RECIPES, rightAnswers } from './setup.js';

const CODES = ['GF_ETYPE', 'GF_ERANGE', 'GF_EFILE', 'GF_ESTATE', 'GF_ESHAPE', 'GF_EINDEX'];

/** What a call gives, or the error that says why not; anything else that is thrown is a defect.
 * @param {() => any} call @param {string} where */
function outcomeOf(call, where) {
  try {
    return { value: call() };
  } catch (error) {
    const { code, detail, message } = /** @type {any} */ (error);
    assert.ok(
      CODES.includes(code) && typeof detail === 'string' && message,
      `${where}: ${/** @type {any} */ (error).stack}`,
    );
    return { code, detail };
  }
}

const VALUES = [
  null,
  true,
  '',
  'x',
  '__proto__',
  0,
  -1,
  0.5,
  1e300,
  -1e9,
  NaN,
  Infinity,
  [],
  [[]],
  [1],
  [[1, 2], [3]],
  [null],
  ['1'],
  {},
  { length: 3 },
];

/** A copy of JSON with one part of it exchanged, left out, doubled, or moved.
 * @param {any} json @param {ReturnType<typeof chance>} random */
function mutated(json, random) {
  const copy = structuredClone(json);
  let [parent, key] = [{ all: copy }, 'all'];
  const holder = parent;
  for (let depth = random.below(6); depth >= 0; depth--) {
    const part = parent[key];
    const keys = part && typeof part === 'object' ? Object.keys(part) : [];
    if (!keys.length) break;
    [parent, key] = [part, random.pick(keys)];
  }
  const way = random.below(5);
  if (way === 0 && Array.isArray(parent)) parent.splice(Number(key), 1);
  else if (way === 0) delete parent[key];
  else if (way === 1 && Array.isArray(parent)) parent.push(parent[key]);
  else if (way === 2) parent[random.pick(['x', 'q', 'scores[0,0]', 'cells'])] = parent[key];
  else parent[key] = random.pick(VALUES);
  return holder.all;
}

/** What is marked keeps to what a mark is. @param {any} marks @param {string} where */
function checkMarks(marks, where) {
  const { points, max, cells } = marks;
  assert.ok(points >= 0 && points <= max, `${where}: ${points} of ${max}`);
  for (const mark of Object.values(cells)) {
    assert.ok(mark.points >= 0 && mark.points <= 1 && mark.message && mark.state, where);
    assert.ok(!/undefined|NaN|\{\w+\}/.test(mark.message), `${where}: ${mark.message}`);
  }
}

for (const recipe of RECIPES) {
  test(`${recipe}: a changed problem, and changed answers, are marked or refused`, () => {
    const made = problemOf(recipe, { seed: 3 });
    const answers = { cells: rightAnswers(made) };
    const problem = JSON.parse(JSON.stringify(made));
    let refused = 0;
    const count = full ? 400 : 40;
    for (let i = 0; i < count; i++) {
      const random = chance(i, recipe.length);
      const other = i % 3 ? mutated(problem, random) : problem;
      const written = i % 3 !== 1 ? mutated(answers, random) : answers;
      const where = `${recipe}, ${i}`;
      const { value, code } = outcomeOf(() => mark(gf, other, written), where);
      if (code) refused += 1;
      else checkMarks(value, where);
    }
    assert.ok(refused && refused < count, `${refused} of ${count} were refused`);
    /* What was refused left nothing behind. */
    const { points, max } = mark(gf, problem, answers);
    assert.equal(points, max);
  });
}

describe('what is refused, and why', () => {
  const problem = problemOf('scores');
  const [answers] = [{ cells: rightAnswers(problem) }];
  for (const [name, call, code, detail] of /** @type {[string, () => any, string, string][]} */ ([
    ['an unknown recipe', () => exercise(gf, /** @type {any} */ ('score')), 'GF_ERANGE', 'word'],
    [
      'a problem of none',
      () => mark(gf, { ...problem, recipe: 'x' }, answers),
      'GF_ERANGE',
      'word',
    ],
    ['no problem', () => mark(gf, /** @type {any} */ (null), answers), 'GF_ETYPE', 'problem'],
    ['nothing given', () => mark(gf, { ...problem, given: {} }, answers), 'GF_ETYPE', 'problem'],
    ['no answers', () => mark(gf, problem, /** @type {any} */ ({})), 'GF_ETYPE', 'answers'],
    [
      'a list as an answer',
      () => mark(gf, problem, { cells: { 'scores[0,0]': /** @type {any} */ ([]) } }),
      'GF_ETYPE',
      'answerText',
    ],
    [
      'another cell',
      () => mark(gf, problem, { cells: { 'scores[9,9]': '1' } }),
      'GF_ERANGE',
      'notAsked',
    ],
    ['a hint for none', () => hints(gf, problem, 'scores'), 'GF_ERANGE', 'notAsked'],
  ])) {
    test(name, () => assert.deepEqual(outcomeOf(call, name), { code, detail }));
  }

  test('options that are none, and values out of range', () => {
    for (const options of /** @type {any[]} */ ([
      { seed: -1 },
      { seed: 0.5 },
      { seed: 2 ** 32 },
      { level: 'all' },
      { digits: 7 },
      { digits: -1 },
      { significant: 0 },
      { significant: 7 },
      { colour: 1 },
      { digits: '2' },
      null,
      1,
    ])) {
      assert.ok(outcomeOf(() => exercise(gf, 'scores', options), JSON.stringify(options)).code);
    }
    for (const options of /** @type {any[]} */ ([{ lang: 'it' }, { language: 'en' }, 'en'])) {
      assert.ok(outcomeOf(() => recipes(options), 'recipes').code);
      assert.ok(outcomeOf(() => misconceptions(options), 'misconceptions').code);
      assert.ok(outcomeOf(() => mark(gf, problem, answers, options), 'mark').code);
      assert.ok(outcomeOf(() => hints(gf, problem, 'scores[0,0]', options), 'hints').code);
    }
  });
});

describe('every entry says what it was given in place of a problem', () => {
  const problem = problemOf('weights');
  const [cell] = problem.asked;
  /** @type {Record<string, (gf: any, problem: any) => any>} */
  const entries = {
    hints: (core, given) => hints(core, given, cell),
    mark: (core, given) => mark(core, given, { cells: {} }),
    traceProblem,
    worksheet,
  };
  const broken = /** @type {[string, any][]} */ ([
    ['null', null],
    ['"a"', 'a'],
    ['an array (1)', [problem]],
    ...['given', 'policy', 'level', 'seed'].map((key) => [key, { ...problem, [key]: null }]),
    ...['tokens', 'memory', 'sizes'].map((key) => [key, { ...problem, [key]: 5 }]),
    ['words', { ...problem, tokens: [1, null, {}] }],
    ['a hole', { ...problem, tokens: Array(3) }],
    ['recipe', { ...problem, recipe: null }],
    ['a matrix', { ...problem, given: { ...problem.given, q: null } }],
  ]);
  const isCoded = (/** @type {any} */ error, /** @type {string} */ where) => {
    assert.ok(CODES.includes(error.code), error.stack);
    assert.ok(error.message.startsWith(where), error.message);
    return true;
  };
  for (const [name, call] of Object.entries(entries)) {
    test(name, () => {
      for (const [, given] of broken) {
        assert.throws(
          () => call(gf, given),
          (error) => isCoded(error, name),
        );
      }
      assert.throws(
        () => call(null, problem),
        (error) => isCoded(error, name),
      );
      assert.throws(() => call(gf, null), { message: /received null/ });
      assert.throws(() => call(gf, 'a'), { message: /received "a"/ });
    });
  }

  test('exportQuiz, in every format', async () => {
    const parts = ['asked', 'solution', 'misconceptions', 'shown'];
    const lists = [
      ...broken,
      ...parts.map((key) => [key, { ...problem, [key]: null }]),
      ['no answer', { ...problem, solution: {} }],
    ];
    for (const format of formats) {
      for (const [, given] of lists) {
        await assert.rejects(exportQuiz(gf, [problem, given], { format }), (error) =>
          isCoded(error, 'exportQuiz: problems[1]'),
        );
      }
    }
    await assert.rejects(exportQuiz(gf, /** @type {any} */ (['a']), { format: 'markdown' }), {
      message: /received "a"/,
    });
    await assert.rejects(/** @type {any} */ (exportQuiz)(gf, [problem]), (error) =>
      isCoded(error, 'exportQuiz'),
    );
  });
});

test('a number that is none is written as such, not as −∞', () => {
  const problem = structuredClone(problemOf('scores'));
  /** @type {any} */ (problem.given).q[0] = [NaN, -Infinity, Infinity];
  const { given } = worksheet(gf, problem);
  const [q] = given.filter(({ of }) => of === 'q');
  assert.deepEqual(
    q.cells[0].map(({ text }) => text),
    ['NaN', '−∞', '∞'],
  );
});

test('decimals with which no seed tells mistakes apart are refused at once, and others are not', () => {
  for (const [recipe, digits, level] of [
    ['weights', 1, 'steps'],
    ['attention', 0, 'end'],
    ['layer-norm', 1, 'end'],
    ['find-head', 0, 'steps'],
  ]) {
    const least = recipe === 'find-head' ? 1 : 2;
    assert.throws(() => problemOf(recipe, { digits, level }), {
      message: new RegExp(`no numbers of ${recipe} tell .* choose ${least} or more`),
    });
    assert.equal(problemOf(recipe, { digits: least, level }).policy.digits, least);
  }
  assert.equal(problemOf('layer-norm', { digits: 1 }).policy.digits, 1);
});

test('a call without the core says how it is written', () => {
  assert.throws(() => exercise(/** @type {any} */ ('weights'), /** @type {any} */ ({ seed: 1 })), {
    message:
      /expected what load\(\) gives, received "weights" \(write exercise\(gf, …\), with gf = await load\(\)\)/,
  });
});
