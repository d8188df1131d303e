// A teacher's own numbers in every recipe: worked out by hand as drawn ones are, refused by name where they do not fit.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  exercise,
  exportQuiz,
  formats,
  mark,
  recipes,
} from '../../bindings/learn/exercises/index.js';
import { read } from '../support/markdown.js';
import { workedOut } from './by-hand.js';
import { gf, marked, problemOf, RECIPES, rightAnswers } from './setup.js';

/** Numbers of other sizes than are drawn, for every recipe. @type {Record<string, Record<string, any> | string>} */
const GIVEN = {
  projection: 'X = 1 0; 0 1; 1 1\nW_Q = 1 2 0; 0 1 1\nW_K = 1 0 1; 2 1 0\nW_V = 1 0; 3 1',
  'projection-bias': 'X=1 0\nW_Q=1 2;0 1\nW_K=1 0;2 1\nW_V=1 0;3 1\nb_Q=1 -1\nb_K=0,5 2\nb_V=3 1',
  scores: 'Q = 1 2; 0 1\nK = 1 0; 3 1',
  'scaled-scores': 'Q = 1 2; 0 1\nK = 1 0; 3 1',
  'softmax-row': { 'scores.scaled': [1, '1/2', 0, -1] },
  weights: 'Q = 1 2; 0 1; 2 1\nK = 1 0; 3 1; 1 1\nscale = 1/3',
  'output-row': {
    weights: [
      ['1/2', '1/2'],
      [0.25, 0.75],
    ],
    v: [
      [4, 0, 1],
      [2, 1, 3],
    ],
  },
  'one-query': 'q = 1 2\nK = 1 0; 3 1; 0 1; 1 1\nV = 1 2 3; 0 1 0; 2 2 2; 1 0 1',
  attention: `X = 1 0; 0 1; 1 1\nW_Q = 1 0; 0 2\nW_K = 0 1; 1 1\nW_V = 2 0; 1 1
    mask = causal\nscale = 1/3\ntokens = je suis là`,
  'attention-scale': 'Q = 1 2; 0 1\nK = 1 0; 3 1\nV = 1 0 2; 0 1 1\nscale = 0,25',
  'causal-attention': 'Q = 1 2; 0 1; 1 1; 2 0\nK = 1 0; 3 1; 0 1; 1 1\nV = 1; 0; 2; 5',
  'padding-mask': 'scores.scaled = 1 2; 0 1\nV = 1 2; 3 4\nmask = 1 0; 1 0',
  'two-heads': `Q = 1 0 2 1 0 1; 0 1 1 2 1 0\nK = 1 1 0 2 1 0; 2 1 0 1 1 1
    V = 1 0 2; 3 1 0\nW_O = 1 0; 0 1; 2 1\nheads = 3`,
  'causal-heads': `Q = 1 0 2 1; 0 1 1 2\nK = 1 1 0 2; 2 1 0 1\nV = 1 0 2 1; 3 1 0 2\nheads = 2
    scale = 1`,
  'cross-attention': `X = 1 2\nmemory = 1 0; 0 1; 2 1\nW_Q = 1 0; 1 1\nW_K = 0 1; 1 1\nW_V = 2; 3
    memory_tokens = a b c`,
  sinusoid: 'position = 0 1 7\nX = 1 2; 0 1; 1 1',
  'layer-norm': 'x = 1 2 6',
  'residual-norm': 'x = 1 2 6; 0 1 5\nsublayer = 0 1 1; 2 2 0',
  'feed-forward': 'x = 1 -2 3\nw_1 = 1 0; 0 1; 1 1\nb_1 = 0 -2\nw_2 = 2; 1\nb_2 = 1',
  'dropout-scale': 'x = 1 2; 3 4; 5 6\nkeep = 1 0; 0 1; 1 1\np = 1/3',
  'cross-entropy': 'logits = 1 0 2 1; 0 1 1 3\nlabels = 3 2',
  'label-smoothing': 'probabilities = 0.1 0.2 0.3 0.4\nlabel = 0 1 0 0\nsmoothing = 0,1',
  'softmax-gradient': 'logits = 1 0 2 1\nlabel = 0 0 1 0',
  'adam-step': 'θ = 1 2 3 4\ng = 1 -1 2 0.5\nβ1 = 0.8\nβ2 = 0.95\nlr = 0.1\nε = 0.01',
  'adam-steps': `theta = 1 -1\ngradient.1 = 1 2\ngradient.2 = 0.5 -1\ngradient.3 = 1 1
    beta1 = 0.5\nbeta2 = 0.75\nepsilon = 0.1`,
  'noam-rate': 'step = 1 50 200\ndModel = 256\nwarmup = 100',
  'attention-backward': `Q = 1 2; 0 1; 1 1\nK = 1 0; 3 1; 0 1\nV = 1 0; 2 1; 0 3
    gradient.output = 1 0; 0 1; 2 -1`,
  'parameter-count': 'd_model = 12\nheads = 3\nd_ff = 40\nvocab = 100',
  cost: 'd_model = 12\nheads = 3\nd_ff = 40\nvocab = 100\ntokens = 20',
  'greedy-and-beam':
    'first = 0.4 0.35 0.2 0.05\nsecond = 0.4 0.3 0.2 0.1;0.9 0.1 0 0;1 0 0 0;1 0 0 0',
  shuffle: 'x = 1 0; 0 1; 1 1; 2 0\norder = 3 0 1 2',
  'logit-parts': 'parts = 1 0; 0 1; 2 1; 1 1\nw_u = 1 2; 3 1\nσ = 4',
  ablation: 'x = 1 2\nh = 1 0; -1 2\non = 0 1\nw_1 = 1 0 1; 0 1 1\nw_2 = 1 0; 0 1; 1 1\nu = 1 2',
  'find-head': 'weights = 0.5 0.5; 0.2 0.8\nwrites = 1 3; 5 -1\nname = 1',
  induction: `x = 2 0 1; 0 2 1; 2 0 1\na_0 = 0 0 0; 1 0 0; 0 1 0\ne = 2 0 1; 0 2 1; 0 0 -1; 1 1 1
    memory_tokens = a b c d`,
};

/** @param {number} a @param {number} b */
const isNear = (a, b) => Object.is(a, b) || Math.abs(a - b) <= 1e-4 * Math.max(1, Math.abs(b));

test('there are numbers for every recipe', () => {
  assert.deepEqual(Object.keys(GIVEN).toSorted(), RECIPES.toSorted());
});

describe('numbers of a teacher', () => {
  for (const recipe of RECIPES) {
    test(`${recipe}: are worked out by hand alike, and marked as others`, () => {
      const problem = problemOf(recipe, { given: GIVEN[recipe] });
      const right = workedOut(problem);
      const solved = Object.entries(problem.solution);
      assert.ok(solved.length);
      for (const [cell, { value }] of solved) {
        assert.ok(isNear(value, right[cell]), `${cell}: ${value}, not ${right[cell]}`);
      }
      for (const [mistake, cells] of Object.entries(problem.misconceptions)) {
        const wrong = workedOut(problem, mistake);
        for (const [cell, value] of Object.entries(cells)) {
          assert.ok(isNear(value, wrong[cell]), `${mistake} ${cell}: ${value}, ${wrong[cell]}`);
        }
      }
      const { points, max } = marked(problem, rightAnswers(problem));
      assert.equal(points, max);
      /* One mistake that the numbers tell apart is named. */
      const [mistake] = Object.keys(problem.misconceptions);
      if (!mistake) return;
      const answers = { ...rightAnswers(problem), ...problem.misconceptions[mistake] };
      const named = Object.values(marked(problem, answers).cells).map((cell) => cell.misconception);
      assert.ok(named.includes(mistake), mistake);
    });
  }
});

test('what is not told apart is listed: of equal keys and queries K Qᵀ is Q Kᵀ', () => {
  const { misconceptions, indistinct } = problemOf('scores', {
    given: {
      q: [
        [1, 2],
        [3, 4],
      ],
      k: [
        [1, 2],
        [3, 4],
      ],
    },
  });
  assert.deepEqual(indistinct, ['scores-transposed']);
  assert.ok(!('scores-transposed' in misconceptions));
  assert.ok('k-not-transposed' in misconceptions);
  /* Shares of scores that cancel out, all but for float32's roundings. */
  const row = { 'scores.scaled': [0.1, 0.2, 0.4, -0.7] };
  assert.deepEqual(problemOf('softmax-row', { given: row }).indistinct, ['no-exp']);
});

test('a scale alone leaves the matrices to the seed, and each seed tells all mistakes apart', () => {
  for (let seed = 1; seed <= 12; seed++) {
    const { given, sizes, ...rest } = problemOf('attention', { seed, given: { scale: '1/3' } });
    assert.equal(sizes.scale, 1 / 3);
    assert.equal(rest.indistinct, undefined);
    assert.ok('scale-by-root' in rest.misconceptions);
    const right = workedOut({ recipe: 'attention', given, sizes });
    assert.ok(Math.abs(right['output[0,0]'] - rest.solution['output[0,0]'].value) < 1e-4);
  }
  const { asked } = problemOf('causal-heads', { given: 'heads = 3' });
  assert.ok(asked.includes('weights[2,0,0]') && !asked.includes('weights[3,0,0]'));
});

test('every problem can be changed and given again: unchanged, it is the same problem', () => {
  for (const recipe of RECIPES) {
    const problem = problemOf(recipe, { seed: 3 });
    const { indistinct, ...again } = problemOf(recipe, { seed: 3, given: problem });
    assert.deepEqual([again, indistinct], [problem, []], recipe);
  }
});

describe('what does not fit is refused by its name', () => {
  const x = [
    [1, 0],
    [0, 1],
    [1, 1],
  ];
  const w = [
    [1, 0],
    [0, 1],
  ];
  for (const [name, given, message] of /** @type {[string, any, string][]} */ ([
    [
      'rows',
      { x, w_q: [[1, 0]], w_k: w, w_v: w },
      'w_q: expected the shape 2 × d_k, received 1 × 2: x is 3 × 2',
    ],
    [
      'columns',
      { x, w_q: w, w_k: [[1], [2]], w_v: w },
      'w_k: expected the shape 2 × 2, received 2 × 1: w_q is 2 × 2',
    ],
    [
      'a list',
      { x, w_q: 3, w_k: w, w_v: w },
      'w_q: expected the shape 2 × d_k, received 1 × 1: x is 3 × 2',
    ],
    ['what is missing', { x, w_q: w }, 'these numbers are missing: w_k, w_v'],
    [
      'no number',
      { x: [[1, 'a']], w_q: w, w_k: w, w_v: w },
      'x[0,1]: cannot read "a" as a number from character 1 on',
    ],
    [
      'uneven rows',
      { x: [[1, 0], [0]], w_q: w, w_k: w, w_v: w },
      'x: row 2 has length 1, the first row 2',
    ],
    ['a scale of 0', { scale: 0 }, 'scale: expected a number from 0.000001 to 1000000, received 0'],
    [
      'another name',
      { w_x: w },
      'the recipe has no numbers "w_x": it has x, w_q, w_k, w_v, mask, dModel, scale, tokens, memory_tokens',
    ],
    [
      'words',
      { x, w_q: w, w_k: w, w_v: w, tokens: 'a b' },
      'tokens: expected a word for each row, 3 in all, received 2',
    ],
    [
      'a mask',
      {
        x,
        w_q: w,
        w_k: w,
        w_v: w,
        mask: [
          [2, 0],
          [0, 1],
        ],
      },
      'mask: expected 1 for what is seen and 0 for what is hidden, or "causal"',
    ],
    ['a text', 'hello', 'expected names with numbers, such as x = 1 0; 0 1, received "hello"'],
    ['nothing', 3, 'expected numbers by their names, or a text such as x = 1 0; 0 1, received 3'],
  ])) {
    test(name, () => {
      assert.throws(
        () => problemOf('attention', { given }),
        (/** @type {any} */ error) => {
          assert.equal(
            error.message.replace(/ \(did you mean.*/, ''),
            `exercise: given: ${message}`,
          );
          return true;
        },
      );
    });
  }

  test('more cells than a page holds', () => {
    const q = Array.from({ length: 20 }, () => [1, 2]);
    assert.throws(() => problemOf('scores', { given: { q, k: q } }), { detail: 'tooManyAsked' });
  });
  test('words without an answer: two are as likely', () => {
    const second = [
      [0.5, 0.5],
      [0.5, 0.5],
    ];
    assert.throws(() => problemOf('greedy-and-beam', { given: { first: [0.5, 0.5], second } }), {
      detail: 'unanswerable',
    });
  });
});

test('every format is written, and its numbers are those of the teacher', async () => {
  const problem = exercise(gf, 'attention', { given: GIVEN.attention });
  for (const format of formats) {
    const files = await exportQuiz(gf, [problem], { format });
    assert.ok(files.length, format);
  }
  const [sheet, key] = await exportQuiz(gf, [problem], { format: 'markdown' });
  const text = new TextDecoder().decode(sheet.data);
  assert.match(text, /in place of 1\/√d\\_k\) = 1\/3/);
  assert.match(text, /\| suis \| 0 \| 1 \|/);
  assert.match(new TextDecoder().decode(key.data), /= 1\/3 · 5 ≈ 1\.67/);
  assert.doesNotMatch(new TextDecoder().decode(key.data), /seed/);
});

test('whoever divides by √d_k where another scale is given makes a mistake with a name', () => {
  const problem = exercise(gf, 'attention', { given: GIVEN.attention });
  const wrong = workedOut(problem, 'scale-by-root');
  const cells = Object.fromEntries(problem.asked.map((cell) => [cell, wrong[cell].toFixed(4)]));
  const { findings } = mark(gf, problem, { cells });
  assert.match(findings[0].message, /another scale is given/);
});

test('docs/teaching.md lists what each recipe takes', () => {
  const rows = recipes().map(({ name, numbers, sizes }) => {
    const taken = numbers.map(
      ({ name: of, shape, optional }) =>
        `\`${of}\` ${shape.join(' × ')}${optional ? ' (optional)' : ''}`,
    );
    return `| \`${name}\` | ${taken.join(', ')} | ${sizes.map((size) => `\`${size.name}\``).join(', ')} |`;
  });
  const page = read('docs/teaching.md');
  for (const row of rows) assert.ok(page.includes(row), row);
});
