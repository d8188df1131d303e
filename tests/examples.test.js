// The worked examples: what the teaching texts print, against float64, and the core against both.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { load, examples as packaged, sentence, traceExample } from '../bindings/index.js';
import { openTokenizer } from '../bindings/models/formats/tokenizer.js';
import { fnv1a, philox, reference, steps } from './reference/attention64.js';

/**
 * Worked out with a pencil from the texts. `numbers` and `asides` count what a text prints, `wrong`
 * lists what it gets wrong: node, cell, printed, correct, cause, and how the difference arises. `truncated` lists what it cuts
 * off. `working` lists equations of its working that hold for the numbers printed in them, not for the exact ones.
 * @type {Record<string, { numbers: number, asides: number, wrong?: string, truncated?: string, working?: string }>}
 */
const texts = {
  'i-love-robotics': {
    numbers: 33,
    asides: 19,
    wrong: `
      output  1,0  1.332  1.333333  carried rounded  0.333·2 + 0.333·1 + 0.333·1`,
    truncated: `
      output  1,1  0.666  0.666667
      output  1,2  0.666  0.666667`,
    working: `
      product weights 1,0 v 0,0  0.666  0.666667  0.333·2`,
  },
  pocket: { numbers: 0, asides: 0 },
  'sub-words': { numbers: 0, asides: 0 },
  'three-tokens': {
    numbers: 51,
    asides: 0,
    wrong: `
      scores         0,1  0.8    0.7       step           1.0·0.4 + 0.5·0.6 = 0.4 + 0.3
      scores         1,0  0.8    0.7       step           0.8·0.5 + 1.2·0.25 = 0.4 + 0.3
      scores         1,2  0.48   0.66      step           0.8·0.15 + 1.2·0.45 = 0.12 + 0.54
      scores         2,1  0.48   0.66      step           0.3·0.4 + 0.9·0.6 = 0.12 + 0.54
      scores         2,2  0.405  0.45      step           0.3·0.15 + 0.9·0.45: only the second term
      scores.scaled  0,1  0.566  0.494975  carried wrong  0.8 / √2
      scores.scaled  1,0  0.566  0.494975  carried wrong  0.8 / √2
      scores.scaled  1,2  0.339  0.466690  carried wrong  0.48 / √2
      scores.scaled  2,1  0.339  0.466690  carried wrong  0.48 / √2
      scores.scaled  2,2  0.286  0.318198  carried wrong  0.405 / √2
      weights        0,1  0.42   0.364560  step           0.381 from the printed scores
      weights        0,2  0.23   0.289710  step           0.282 from the printed scores
      weights        1,0  0.35   0.308272  step           0.335 from the printed scores
      weights        1,1  0.45   0.392053  step           0.397 from the printed scores
      weights        1,2  0.20   0.299675  step           0.267 from the printed scores
      weights        2,0  0.32   0.305089  carried wrong  0.323 from the printed scores
      weights        2,1  0.38   0.373205  step           0.348 from the printed scores
      weights        2,2  0.30   0.321706  step           0.330 from the printed scores
      output         0,0  1.16   1.086436  step           0.35·1.5 + 0.42·1.2 + 0.23·0.45 = 1.1325
      output         0,1  1.74   1.306614  step           0.35·0.75 + 0.42·1.8 + 0.23·1.35 = 1.329
      output         1,0  1.23   1.067725  step           0.35·1.5 + 0.45·1.2 + 0.20·0.45 = 1.155
      output         1,1  1.84   1.341461  step           0.35·0.75 + 0.45·1.8 + 0.20·1.35 = 1.3425
      output         2,1  1.58   1.334889  step           0.32·0.75 + 0.38·1.8 + 0.30·1.35 = 1.329`,
  },
  'hi-how': {
    numbers: 32,
    asides: 5,
    wrong: `
      output  0,0  0.91  0.785658  step  0.65·1.1 + 0.35·0.2 = 0.785
      output  0,1  0.47  0.484196  step  0.65·0.1 + 0.35·1.2 = 0.485
      output  1,1  0.87  0.860406  step  0.31·0.1 + 0.69·1.2 = 0.859`,
    working: `
      exp scores.scaled 0,0  2.36  2.369479  exp(0.86) = 2.3632
      exp scores.scaled 1,1  2.86  2.847718  exp(1.05) = 2.8577`,
  },
  'the-cat-sat': {
    numbers: 75,
    asides: 22,
    wrong: `
      output  0,1  0.74  0.733044  carried rounded  0.16·2 + 0.42·1
      output  0,3  0.74  0.733044  carried rounded  0.16·2 + 0.42·1`,
    truncated: `
      weights  1,2  0.11  0.117310
      output   2,1  1.26  1.266956
      output   2,3  1.26  1.266956`,
    working: `
      product weights 0,1 v 1,1  0.32  0.310725  0.16·2
      product weights 0,1 v 1,3  0.32  0.310725  0.16·2`,
  },
  'look-up': { numbers: 0, asides: 0 },
  'the-cat-sat-projected': {
    numbers: 15,
    asides: 14,
    wrong: `
      q              0,0  0.31   0.34      step           0.2·0.2 + 0.5·0.4 + 0.1·0.1 + 0.3·0.3
      q              0,1  0.33   0.25      step           0.2·0.3 + 0.5·0.2 + 0.1·0.6 + 0.3·0.1
      q              0,2  0.29   0.42      step           0.2·0.1 + 0.5·0.5 + 0.1·0.3 + 0.3·0.4
      scores         0,0  0.257  0.2649    carried wrong  0.31·0.25 + 0.33·0.35 + 0.29·0.22
      scores         0,1  0.280  0.318     carried wrong  0.31·0.42 + 0.33·0.18 + 0.29·0.31
      scores         0,2  0.250  0.262     carried wrong  0.31·0.33 + 0.33·0.28 + 0.29·0.19
      scores.scaled  0,0  0.148  0.152940  carried wrong  0.257 / √3
      scores.scaled  0,1  0.162  0.183597  carried wrong  0.280 / √3
      scores.scaled  0,2  0.144  0.151266  carried wrong  0.250 / √3
      weights        0,0  0.332  0.330092  carried wrong  0.332 from the printed scores
      weights        0,1  0.337  0.340368  carried wrong  0.337 from the printed scores
      weights        0,2  0.331  0.329540  carried wrong  0.331 from the printed scores
      output         0,1  0.366  0.364880  carried wrong  0.332·0.4 + 0.337·0.2 + 0.331·0.5
      output         0,2  0.367  0.369101  carried wrong  0.332·0.2 + 0.337·0.6 + 0.331·0.3`,
    working: `
      exp scores.scaled 0,0      1.160  1.165255  exp(0.148)
      exp scores.scaled 0,1      1.176  1.201532  exp(0.162)
      exp scores.scaled 0,2      1.155  1.163306  exp(0.144)
      sum-exp scores.scaled 0    3.491  3.530093  1.160 + 1.176 + 1.155
      product weights 0,0 v 0,0  0.100  0.099028  0.332·0.3
      product weights 0,0 v 0,1  0.133  0.132037  0.332·0.4
      product weights 0,1 v 1,0  0.169  0.170184  0.337·0.5
      product weights 0,1 v 1,1  0.067  0.068074  0.337·0.2
      product weights 0,1 v 1,2  0.202  0.204221  0.337·0.6
      product weights 0,2 v 2,1  0.166  0.164770  0.331·0.5`,
  },
  masked: { numbers: 3, asides: 0 },
  'what-did-the-cat-do': { numbers: 4, asides: 0 },
  'wide-values': { numbers: 0, asides: 0 },
  digit: { numbers: 0, asides: 0 },
  positions: { numbers: 18, asides: 0 },
  'two-heads': { numbers: 0, asides: 0 },
  'ten-tokens': { numbers: 0, asides: 0 },
  'eight-heads': { numbers: 0, asides: 0 },
  'layer-norm': { numbers: 4, asides: 3 },
  schedule: {
    numbers: 6,
    asides: 0,
    wrong: `
      learning_rate.relative  0,1  0.7  0.5  step  2000 of 4000 steps of a straight line`,
  },
  'label-smoothing': { numbers: 5, asides: 0 },
};

/** Of those with several. @type {Record<string, number>} */
const HEADS = { 'two-heads': 2, 'eight-heads': 8 };

const folder = new URL('../bindings/data/examples/', import.meta.url);
const examples = Object.keys(texts).map((name) =>
  JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')),
);

const gf = await load();

/** The lines of a table in `texts`, cut into columns. */
const table = (/** @type {string | undefined} */ text) =>
  (text ?? '')
    .split('\n')
    .filter((line) => line.trim())
    .map((line) => line.trim().split(/\s{2,}/));

const isNear = (/** @type {number} */ a, /** @type {number} */ b, tolerance = 1e-6) =>
  a === b || Math.abs(a - b) <= tolerance + tolerance * Math.abs(b);

function near(
  /** @type {import('./reference/attention64.js').Tensor} */ actual,
  /** @type {number[]} */ shape,
  /** @type {number[]} */ data,
) {
  assert.deepEqual(actual.shape, shape);
  data.forEach((value, i) => {
    assert(isNear(actual.data[i], value), `cell ${i}: ${actual.data[i]}, expected ${value}`);
  });
  assert.equal(actual.data.length, data.length);
}

/** What a printed number is of a float64 one, by counting in units of its last digit. A half may be rounded either way, for
 * which the last bits of float64 do not count. */
function printedAs(/** @type {string} */ printed, /** @type {number} */ value) {
  const units = 10 ** (printed.split('.')[1] ?? '').length;
  const [count, exact] = [Math.round(Number(printed) * units), value * units];
  if ([1 - 1e-9, 1 + 1e-9].some((bit) => Math.round(exact * bit) === count)) return 'rounded';
  return Math.trunc(exact) === count ? 'truncated' : 'wrong';
}
const isRight = (/** @type {string} */ printed, /** @type {number} */ value) =>
  printedAs(printed, value) !== 'wrong';

/** Mean and biased variance of a row. */
function momentsOf(
  /** @type {import('./reference/attention64.js').Tensor} */ { shape, data },
  /** @type {number} */ row,
) {
  const cells = data.slice(row * shape[1], (row + 1) * shape[1]);
  const mean = cells.reduce((sum, x) => sum + x, 0) / cells.length;
  const variance = cells.reduce((sum, x) => sum + (x - mean) ** 2, 0) / cells.length;
  return { mean, variance };
}

/**
 * What float64 says about the printed numbers of an example.
 * @param {any} example
 */
function judge(example) {
  const list = steps(example);
  const nodes = new Map(list.map((step) => [step.name, step]));
  const values = Object.fromEntries(list.map((step) => [step.name, step.value]));

  /** Printed strings of a node, flat; null where the text prints nothing. */
  const textOf = (/** @type {string} */ name) => {
    const [rows, columns] = values[name].shape;
    const printed = example.printed[name] ?? Array(rows).fill(null);
    return printed.flatMap((/** @type {any} */ row) => row ?? Array(columns).fill(null));
  };
  /** A node as a reader of the text knows it: the printed number where there is one. */
  const asPrinted = (/** @type {string} */ name) => ({
    shape: values[name].shape,
    data: textOf(name).map((/** @type {string | null} */ text, /** @type {number} */ i) =>
      text === null ? values[name].data[i] : Number(text),
    ),
  });
  const wrongCells = (/** @type {string} */ name) =>
    textOf(name).flatMap((/** @type {string | null} */ text, /** @type {number} */ i) =>
      text === null || isRight(text, values[name].data[i]) ? [] : [i],
    );

  const causeOf = (/** @type {string} */ name, /** @type {number} */ cell) => {
    const { inputs, formula } = /** @type {import('./reference/attention64.js').Step} */ (
      nodes.get(name)
    );
    assert(formula, `${name} is given, not computed: print nothing about it`);
    const operands = inputs.map(asPrinted);
    if (!isRight(textOf(name)[cell], formula(...operands).data[cell])) return 'step';
    // A cell that a NaN in its operand makes NaN depends on that operand.
    const dependsOn = (/** @type {number} */ k, /** @type {number} */ i) => {
      const poisoned = operands.map((x, j) => (j === k ? { ...x, data: x.data.with(i, NaN) } : x));
      return Number.isNaN(formula(...poisoned).data[cell]);
    };
    const fromWrong = inputs.some((input, k) =>
      wrongCells(input).some((/** @type {number} */ i) => dependsOn(k, i)),
    );
    return fromWrong ? 'carried wrong' : 'carried rounded';
  };

  const mismatches = list
    .filter(({ name }) => example.printed[name])
    .flatMap(({ name, value }) =>
      wrongCells(name).map((/** @type {number} */ cell) => ({
        node: name,
        index: indexOf(value.shape, cell),
        printed: textOf(name)[cell],
        computed: value.data[cell],
        cause: causeOf(name, cell),
      })),
    );

  const truncated = list
    .filter(({ name }) => example.printed[name])
    .flatMap(({ name, value }) =>
      textOf(name).flatMap((/** @type {string | null} */ text, /** @type {number} */ i) =>
        text !== null && printedAs(text, value.data[i]) === 'truncated'
          ? {
              node: name,
              cell: i,
              index: indexOf(value.shape, i),
              printed: text,
              computed: value.data[i],
            }
          : [],
      ),
    );

  /** @type {Record<string, (aside: any, tensor: (name: string) => { shape: number[], data: number[] }) => number>} */
  const asideValue = {
    sqrt: ({ value }) => Math.sqrt(value),
    exp: ({ of, index }, tensor) => Math.exp(cellOf(tensor(of), index)),
    'sum-exp': ({ of, index: [row] }, tensor) => {
      const { shape, data } = tensor(of);
      return data
        .slice(row * shape[1], (row + 1) * shape[1])
        .reduce((sum, x) => sum + Math.exp(x), 0);
    },
    mean: ({ of, index: [row] }, tensor) => momentsOf(tensor(of), row).mean,
    deviation: ({ of, index: [row] }, tensor) => Math.sqrt(momentsOf(tensor(of), row).variance),
    product: ({ of, index, by, byIndex }, tensor) =>
      cellOf(tensor(of), index) * cellOf(tensor(by), byIndex),
  };
  /** A sum of exponentials adds those that are printed before it. */
  const sumOfPrinted = (/** @type {any} */ { of, index: [row] }) =>
    example.asides
      .filter((/** @type {any} */ one) => one.fn === 'exp' && one.of === of && one.index[0] === row)
      .reduce((/** @type {number} */ sum, /** @type {any} */ one) => sum + Number(one.printed), 0);
  const verdictOf = (/** @type {any} */ aside, /** @type {number} */ computed) => {
    const working =
      aside.fn === 'sum-exp' ? sumOfPrinted(aside) : asideValue[aside.fn](aside, asPrinted);
    const ways = [computed, working].map((value) => printedAs(aside.printed, value));
    if (ways[0] === 'rounded') return 'rounded';
    if (ways[1] === 'rounded') return 'working';
    return ways.includes('truncated') ? 'truncated' : 'wrong';
  };
  const asides = example.asides.map((/** @type {any} */ aside) => {
    const computed = asideValue[aside.fn](aside, (name) => values[name]);
    const { fn, of, index, by, byIndex, value, printed } = aside;
    const what = [fn, value, of, index, by, byIndex].filter((part) => part !== undefined);
    return { what: what.join(' '), printed, computed, verdict: verdictOf(aside, computed) };
  });

  return { mismatches, truncated, asides };
}

const indexOf = (/** @type {number[]} */ shape, /** @type {number} */ cell) => [
  Math.floor(cell / shape[1]),
  cell % shape[1],
];
const cellOf = (
  /** @type {{ shape: number[], data: number[] }} */ { shape, data },
  /** @type {number[]} */ [i, j],
) => data[i * shape[1] + j];

/**
 * Every node of a trace is there, in order, and within 1e-6 of float64.
 * @param {any} trace
 * @param {any} example
 */
function agrees(trace, example) {
  const expected = steps(example);
  const names = (/** @type {any[]} */ list) => list.map((step) => step.name);
  assert.deepEqual(names(trace.steps).sort(), names(expected).sort());
  assert.deepEqual(
    names(trace.steps.filter((/** @type {any} */ step) => step.op !== 'leaf')),
    names(expected.filter((step) => step.formula)),
  );
  /* Sums of more products are less exact. */
  const tolerance = 1e-6 * Math.max(1, (example.inputs?.w_q?.shape?.[0] ?? 0) / 64);
  for (const { name, value } of expected) {
    const step = trace.step(name);
    assert.deepEqual([...step.shape], value.shape, name);
    value.data.forEach((x, i) => {
      assert(isNear(step.data[i], x, tolerance), `${name}[${i}]: ${step.data[i]}, float64 ${x}`);
    });
  }
}

/**
 * @param {unknown} value
 * @param {string[]} required
 * @param {string[]} [optional]
 */
function hasKeys(value, required, optional = []) {
  assert(value && typeof value === 'object' && !Array.isArray(value));
  const keys = Object.keys(value);
  assert.deepEqual(
    required.filter((key) => !keys.includes(key)),
    [],
    'missing keys',
  );
  assert.deepEqual(
    keys.filter((key) => !required.includes(key) && !optional.includes(key)),
    [],
    'unknown keys',
  );
}

const isMatrix = (/** @type {any} */ x) =>
  Array.isArray(x) &&
  x.every((row) => Array.isArray(row) && row.length === x[0].length && row.every(Number.isFinite));

test('the reference draws the published Philox4x32-10 and FNV-1a numbers', () => {
  const ones = 0xffffffff;
  assert.deepEqual(philox([0, 0, 0, 0], [0, 0]), [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]);
  assert.deepEqual(
    philox([ones, ones, ones, ones], [ones, ones]),
    [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd],
  );
  assert.deepEqual(
    philox([0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344], [0xa4093822, 0x299f31d0]),
    [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1],
  );
  assert.deepEqual(['', 'a', 'foobar'].map(fnv1a), [0x811c9dc5, 0xe40c292c, 0xbf9cf968]);
});

test('a seeded tensor takes the upper 24 bits of each word, one stream per name or row', () => {
  const uniform = { seed: 0, low: -1, high: 1 };
  const inputs = (/** @type {object} */ x) => ({
    attention: { heads: 1 },
    inputs: { x, ...given },
  });
  const given = { q: [[0]], k: [[0]], v: [[0]] };
  const named = reference(inputs({ shape: [1, 6], uniform })).x;
  const words = [0, 1].flatMap((block) => philox([block, 0, fnv1a('x'), 0], [0, 0]));
  assert.deepEqual(
    named.data,
    words.slice(0, 6).map((word) => -1 + Math.floor(word / 256) / 2 ** 23),
  );
  const rows = reference(inputs({ shape: [2, 6], uniform, rows: ['cat', 'x'] })).x;
  assert.deepEqual(rows.data.slice(6), named.data);
  assert.notDeepEqual(rows.data.slice(0, 6), named.data);
});

test('the reference gives what a pencil gives: one head, softmax of ln 3 and 0', () => {
  const { weights, output } = reference({
    attention: { heads: 1, causal: false },
    inputs: {
      q: [[Math.log(3)], [0]],
      k: [[1], [0]],
      v: [
        [4, 1],
        [8, 3],
      ],
    },
  });
  near(weights, [2, 2], [0.75, 0.25, 0.5, 0.5]);
  near(output, [2, 2], [5, 1.5, 6, 2]);
});

test('the reference gives what a pencil gives: projections, 1/sqrt(d), a causal mask', () => {
  const { q, scores, ...rest } = reference({
    attention: { heads: 1, causal: true },
    inputs: {
      x: [
        [1, 2],
        [3, 4],
      ],
      w_q: [
        [1, 0, 2, 0],
        [0, 1, 0, 3],
      ],
      k: [
        [1, 0, 0, 1],
        [0, 1, 1, 0],
      ],
      v: [[10], [20]],
    },
  });
  near(q, [2, 4], [1, 2, 2, 6, 3, 4, 6, 12]);
  near(scores, [2, 2], [7, 4, 15, 10]);
  near(rest['scores.scaled'], [2, 2], [3.5, 2, 7.5, 5]);
  near(rest['scores.masked'], [2, 2], [3.5, Number.NEGATIVE_INFINITY, 7.5, 5]);
  const later = 1 / (1 + Math.exp(2.5));
  near(rest.weights, [2, 2], [1, 0, 1 - later, later]);
  near(rest.output, [2, 1], [10, 10 + 10 * later]);
});

test('the reference gives what a pencil gives: two heads, concatenated and projected', () => {
  const { mix, concat, output } = reference({
    attention: { heads: 2, causal: false },
    inputs: {
      q: [
        [Math.log(3), 0],
        [0, 0],
      ],
      k: [
        [1, 5],
        [0, 7],
      ],
      v: [
        [4, 1],
        [8, 3],
      ],
      w_o: [
        [1, 1],
        [0, 10],
      ],
    },
  });
  near(mix, [2, 2, 1], [5, 6, 2, 2]);
  near(concat, [2, 2], [5, 2, 6, 2]);
  near(output, [2, 2], [5, 25, 6, 26]);
});

test('the reference gives what a pencil gives: embedding plus sinusoids', () => {
  const { x } = reference({
    attention: { heads: 1, causal: false },
    inputs: {
      'embedding.weight': [
        [1, 2, 3],
        [4, 5, 6],
      ],
      tokens: [1, 0],
      pos: [0, 1],
      q: [[0]],
      k: [[0]],
      v: [[0]],
    },
  });
  near(x, [2, 3], [4, 6, 6, 1 + 0.841471, 2 + 0.540302, 3 + 0.002154]);
});

test('the files are the examples', () => {
  assert.deepEqual(
    readdirSync(folder).sort(),
    Object.keys(texts)
      .map((name) => `${name}.json`)
      .sort(),
  );
});

for (const example of examples) {
  const { name } = example;
  const text = texts[name];

  test(`${name}: the file follows the schema`, () => {
    const common = ['name', 'title', 'source', 'about', 'printed', 'asides'];
    const kinds = {
      positions: ['positions'],
      norm: ['norm', 'inputs'],
      schedule: ['schedule'],
      smoothing: ['smoothing', 'inputs'],
      attention: ['tokens', 'attention', 'inputs'],
    };
    const kind = Object.entries(kinds).find(([key]) => example[key])?.[1] ?? [];
    hasKeys(example, [...common, ...kind], ['cut', 'patches', 'vocabulary']);
    for (const key of ['title', 'source', 'about']) assert.match(example[key], /^\S.*\S$/);
    for (const entry of example.positions ?? []) {
      hasKeys(entry, ['node', 'positions', 'channels']);
      assert([...entry.positions, entry.channels].every(Number.isInteger));
    }
    if (example.attention) {
      hasKeys(example.attention, ['heads', 'causal']);
      assert.equal(example.attention.heads, HEADS[name] ?? 1);
      assert.equal(example.attention.causal, name === 'masked');
    }
    for (const [node, input] of Object.entries(example.inputs ?? {})) {
      assert.match(
        node,
        /^(x|embedding(\.weight)?|tokens|position|[qkv]|w_[qkvou]|gain|bias|label)$/,
      );
      if (node === 'tokens') continue;
      if (Array.isArray(input)) {
        assert(isMatrix(example.norm && node !== 'x' ? [input] : input), node);
        continue;
      }
      hasKeys(input, ['shape', 'uniform'], ['rows']);
      hasKeys(input.uniform, ['seed', 'low', 'high']);
      const [rows, columns] = input.shape;
      const high =
        node === 'x' || node === 'embedding.weight'
          ? 1
          : Number(Math.sqrt(6 / (rows + columns)).toFixed(7));
      assert.deepEqual([input.uniform.low, input.uniform.high], [-high, high], node);
      if (node === 'x') assert.deepEqual(input.rows, example.tokens);
    }
    const values = reference(example);
    if (example.tokens) assert.equal(example.tokens.length, values.x.shape[0]);
    for (const [node, printed] of Object.entries(example.printed)) {
      assert(values[node], `printed: no node ${node}`);
      const [rows, columns] = values[node].shape;
      assert.equal(printed.length, rows, `printed: rows of ${node}`);
      for (const row of printed.filter(Boolean)) {
        assert.equal(row.length, columns, `printed: columns of ${node}`);
        for (const cell of row) if (cell !== null) assert.match(cell, /^-?\d+(\.\d+)?$/);
      }
    }
    /** @type {Record<string, string[]>} */
    const operands = { sqrt: ['value'], product: ['of', 'index', 'by', 'byIndex'] };
    for (const aside of example.asides) {
      hasKeys(aside, ['fn', 'printed', ...(operands[aside.fn] ?? ['of', 'index'])]);
      assert.match(aside.printed, /^\d+(\.\d+)?$/);
    }
  });

  test(`${name}: every number of the text is there, and the wrong ones are the known ones`, () => {
    const { mismatches, truncated, asides } = judge(example);
    const numbers = Object.values(example.printed).flat(2);
    assert.equal(numbers.filter((cell) => cell !== null).length, text.numbers);
    assert.equal(asides.length, text.asides);

    const expected = table(text.wrong);
    assert.deepEqual(
      mismatches.map((m) => [m.node, m.index.join(), m.printed, m.cause]),
      expected.map(([node, index, printed, , cause]) => [node, index, printed, cause]),
    );
    mismatches.forEach((m, i) => {
      assert(isNear(m.computed, Number(expected[i][3])), `${expected[i]}: ${m.computed}`);
    });

    const cut = table(text.truncated);
    assert.deepEqual(
      truncated.map((one) => [one.node, one.index.join(), one.printed]),
      cut.map(([node, index, printed]) => [node, index, printed]),
    );
    truncated.forEach(({ computed }, i) => {
      assert(isNear(computed, Number(cut[i][3])), `${cut[i]}: ${computed}`);
    });

    const inWorking = asides.filter((/** @type {any} */ { verdict }) => verdict !== 'rounded');
    const expectedAsides = table(text.working);
    assert.deepEqual(
      inWorking.map((/** @type {any} */ { what, printed, verdict }) => [what, printed, verdict]),
      expectedAsides.map(([what, printed]) => [what, printed, 'working']),
    );
    inWorking.forEach((/** @type {any} */ aside, /** @type {number} */ i) => {
      assert(isNear(aside.computed, Number(expectedAsides[i][2])), `${expectedAsides[i]}`);
    });
  });

  test(`${name}: every node of the core is float64's, and the trace finds the same mismatches`, () => {
    const trace = traceExample(gf, name);
    agrees(trace, example);

    const { mismatches, truncated, asides } = judge(example);
    assert.deepEqual(
      Object.entries(trace.printed).flatMap(([name, { verdict }]) =>
        verdict.flatMap((one, i) => (one === 'truncated' ? `${name} ${i}` : [])),
      ),
      truncated.map(({ node, cell }) => `${node} ${cell}`),
    );
    assert.deepEqual(
      trace.mismatches.map(({ node, index, printed, cause, from }) => [
        node,
        index,
        printed,
        from ? `${cause} ${from}` : cause,
      ]),
      mismatches.map((m) => [m.node, m.index, Number(m.printed), m.cause]),
    );
    trace.mismatches.forEach(({ computed }, i) => {
      assert(isNear(computed, mismatches[i].computed), `${mismatches[i].node}: ${computed}`);
    });

    assert.deepEqual(
      trace.asides.map(({ printed, right, verdict }) => [printed, right, verdict]),
      asides.map((/** @type {any} */ { printed, verdict }) => [
        Number(printed),
        verdict !== 'wrong',
        verdict,
      ]),
    );
    trace.asides.forEach(({ computed }, i) => {
      assert(isNear(computed, asides[i].computed), `${asides[i].what}: ${computed}`);
    });
    trace.dispose();
  });
}

test('the package lists the examples, as the files hold them', () => {
  assert.deepEqual(Object.values(packaged), examples);
  assert.deepEqual(Object.keys(packaged), Object.keys(texts));
});

/** Sennrich, Haddow and Birch 2016, algorithm 1: the most frequent pair becomes one piece, of equals the first.
 * @param {string} corpus @param {number} count
 */
function learnMerges(corpus, count) {
  const words = corpus.split(' ').map((word) => [...word]);
  return Array.from({ length: count }, () => {
    /** @type {Map<string, number>} */
    const pairs = new Map();
    for (const word of words)
      for (let i = 1; i < word.length; i++) {
        const pair = `${word[i - 1]} ${word[i]}`;
        pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
      }
    const [[best, times]] = [...pairs].sort(([, a], [, b]) => b - a);
    assert(times > 1, `${best} is in the corpus once`);
    for (const word of words)
      for (let i = 1; i < word.length; i++)
        if (`${word[i - 1]} ${word[i]}` === best) word.splice(i - 1, 2, word[i - 1] + word[i]);
    return best;
  });
}

test('sub-words: the merges are those that its corpus teaches, and its tokens what they make', () => {
  const { cut, tokens, inputs } = packaged['sub-words'];
  assert.ok(cut && inputs);
  const { corpus, merges, text } = cut;
  assert.deepEqual(merges, learnMerges(corpus, merges.length));
  const { rows } = /** @type {{ rows: string[] }} */ (inputs['embedding.weight']);
  assert.deepEqual(rows, [
    ...new Set(corpus.replaceAll(' ', '')),
    ...merges.map((merge) => merge.replace(' ', '')),
  ]);
  const tokenizer = openTokenizer({
    tokenizer: {
      model: {
        type: 'BPE',
        vocab: Object.fromEntries(rows.map((piece, id) => [piece, id])),
        merges,
      },
      pre_tokenizer: { type: 'WhitespaceSplit' },
      normalizer: null,
      post_processor: null,
      decoder: null,
      added_tokens: [],
    },
  });
  const ids = tokenizer.encode(text);
  assert.deepEqual(ids, inputs.tokens);
  assert.deepEqual(
    tokens,
    ids.map((id) => rows[id]),
  );
  assert.ok(!corpus.includes(text.split(' ')[2]), 'the corpus has the word');
});

test('digit: patches that are alike get the same output, and the picture is that of a 2', () => {
  const trace = traceExample(gf, 'digit');
  const {
    patches: { rows, columns, height, width } = { rows: 0, columns: 0, height: 0, width: 0 },
  } = packaged.digit;
  const [x, output] = ['x', 'output'].map((name) => trace.step(name));
  const drawn = Array.from({ length: rows * height }, (_, r) =>
    Array.from({ length: columns * width }, (_, c) => {
      const patch = Math.floor(r / height) * columns + Math.floor(c / width);
      return '.o#'[2 * x.data[patch * height * width + (r % height) * width + (c % width)]];
    }).join(''),
  );
  assert.deepEqual(drawn, [
    '..####..',
    '.##oo##.',
    '.....##.',
    '....##o.',
    '...##o..',
    '..##o...',
    '.##oooo.',
    '.######.',
  ]);
  const row = (/** @type {number} */ i) => [...output.data.slice(4 * i, 4 * i + 4)];
  const [a, b] = ['r2c3', 'r3c2'].map((name) => row(trace.example.tokens.indexOf(name)));
  assert.deepEqual(a, b);
  assert.notDeepEqual(a, row(0));
  trace.dispose();
});

for (const options of [
  {},
  { dModel: 12, dK: 9, heads: 3, seed: 7, causal: true },
  { positions: false, dModel: 5 },
]) {
  test(`a typed sentence is float64's too: ${JSON.stringify(options)}`, () => {
    const example = sentence('The dog saw the cat, and the cat saw the dog.', options);
    const trace = traceExample(gf, example);
    agrees(trace, example);
    trace.dispose();
  });
}
