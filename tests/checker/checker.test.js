// The checker of worked texts: what it flags in texts with known mistakes, what it leaves alone, and that no text
// breaks it.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { load } from '../../bindings/index.js';
import { dice } from '../../bindings/js/base/random.js';
import { check, fixed } from '../../bindings/learn/checker/index.js';
import { call } from '../bindings/cli/call.js';
import { full } from '../support/sample.js';
import { mutated, NOTATIONS } from './texts.js';

const gf = await load();
const examples = path.resolve(import.meta.dirname, '../../bindings/data/examples');

/** A worked example's own numbers as a text. @param {string} name @param {string} notation */
function textOf(name, notation) {
  const { inputs, printed } = JSON.parse(readFileSync(path.join(examples, `${name}.json`), 'utf8'));
  const titles = { scores: 'S', 'scores.scaled': 'scaled' };
  const steps = Object.entries({ ...inputs, ...printed }).map(([key, rows]) => {
    const own = key.replace(/^w_([qkv])$/, (_, letter) => `W_${letter.toUpperCase()}`);
    const label = /^[xqkv]$/.test(own) ? own.toUpperCase() : (titles[own] ?? own);
    /* Some print one row of several; gain and bias are one. */
    const whole = typeof rows[0] === 'number' ? [rows] : rows.filter(Boolean);
    return [label, whole.map((row) => row.map(String))];
  });
  return NOTATIONS[notation](Object.fromEntries(steps));
}

/** The numbers that worked examples list as wrong, and those that they call truncated. @param {string[]} names */
async function listsOf(names) {
  const told = await Promise.all(names.map((name) => call(['trace', name, '--json'])));
  const traces = told.map(({ stdout }) => JSON.parse(stdout));
  return {
    mismatches: traces.flatMap((trace) => trace.mismatches),
    truncated: traces
      .flatMap((trace) => Object.values(trace.printed))
      .flatMap(({ data, verdict }) => data.filter((_, i) => verdict[i] === 'truncated')),
  };
}

const printedIn = (/** @type {{ printed: string }[]} */ list) =>
  list.map(({ printed }) => Number(printed));

for (const name of [
  'three-tokens',
  'hi-how',
  'i-love-robotics',
  'the-cat-sat',
  'layer-norm',
  'positions',
]) {
  test(`the numbers of ${name}, in every notation, give the list that it carries`, async () => {
    const { mismatches, truncated: cut } = await listsOf([name]);
    for (const notation of Object.keys(NOTATIONS)) {
      const { flags, truncated } = check(gf, textOf(name, notation));
      assert.deepEqual(
        [printedIn(flags), printedIn(truncated)],
        [printedIn(mismatches), cut],
        notation,
      );
    }
  });
}

/** The texts from which the worked examples come are not in the repository: TEXTS=FOLDER checks them, too. */
const texts = process.env.TEXTS;
const EXAMPLES_OF = {
  '000': ['i-love-robotics'],
  '001': [],
  '002': ['three-tokens'],
  '003': ['hi-how'],
  '004': ['the-cat-sat-projected', 'the-cat-sat', 'layer-norm', 'positions'],
};

test('equations of prose are checked one by one', () => {
  const { flags } = check(
    gf,
    '- Score(Hi → Hi) = 1.1 × 1.1 + 0.1 × 0.1 = 1.22\n- √4 = 2\n- 1.22 / 1.41 ≈ 0.78\n- softmax([0, 0]) = [0.5, 0.6]',
  );
  assert.deepEqual(
    flags.map(({ line, column, printed, cause }) => [line, column, printed, cause]),
    [
      [3, 17, '0.78', 'slip:digits'],
      [4, 27, '0.6', 'slip'],
    ],
  );
});

test('of 100 lists of equations only the wrong one is flagged', () => {
  for (let seed = 1; seed <= 100; seed++) {
    const roll = dice(seed, 3);
    const number = () => (roll(19) - 9) / (roll(2) ? 2 : 10);
    const [a, b, c, d] = [number(), number(), number(), number()];
    const sign = (x) => (x < 0 ? `(${x})` : `${x}`);
    const times = ['·', '×', '*', '\\cdot'][roll(4)];
    const equations = [
      [
        `Score(q → k) = ${a} ${times} ${sign(c)} + ${sign(b)} ${times} ${sign(d)} = `,
        a * c + b * d,
        3,
      ],
      [`exp(${a}) = `, Math.exp(a), 2],
      [`${a} / 1.41 ≈ `, a / 1.41, 2],
      [`√${seed} = `, Math.sqrt(seed), 3],
    ];
    const bad = roll(4);
    const bullet = ['', '- ', '* '][roll(3)];
    const lines = equations.map(([left, value, decimals], i) => {
      const off = i === bad ? (roll(2) ? 1 : -1) * (2 + roll(7)) * 10 ** -decimals : 0;
      return `${bullet}${left}${(value + off).toFixed(decimals)}`;
    });
    const { flags } = check(gf, lines.join('\n'));
    assert.deepEqual(
      flags.map(({ line }) => line),
      [bad + 1],
      lines.join('\n'),
    );
  }
});

test('the last printed digit decides: rounded is right, truncated is said, all else is wrong', () => {
  for (const [text, verdict] of [
    ['exp(1.05) = 2.86', 'right'],
    ['exp(1.05) = 2.85', 'truncated'],
    ['exp(1.05) = 2.87', 'slip'],
    ['exp(0.148) = 1.160', 'right'],
    ['4 / 3 = 1.332', 'slip'],
    ['0.333 · 2 + 0.333 + 0.333 = 1.332', 'right'],
    ['output = 4 / 3 = 1.332', 'slip'],
    ['-2 / 3 = -0.67', 'right'],
    ['-2 / 3 = -0.66', 'truncated'],
    ['-2 / 3 = 0.67', 'slip:sign'],
    ['1.3 + 1.3 = 3', 'right'],
    ['1.3 + 1.3 = 2', 'truncated'],
    ['1.3 + 1.3 = 4', 'slip'],
    ['2 · 1.2e-8 = 2.4e-8', 'right'],
    ['2 · 1.2e-8 = 2.6e-8', 'slip'],
    ['1 / 8 = 1.2 · 10^{-1}', 'right'],
    ['1 / 8 = 1.4 · 10^{-1}', 'slip'],
  ]) {
    const { checked, flags, truncated } = check(gf, text);
    assert.equal(checked, 1, text);
    const causes = [...flags.map(({ cause }) => cause), ...truncated.map(() => 'truncated')];
    assert.deepEqual(causes, verdict === 'right' ? [] : [verdict], text);
  }
  const [truncation] = check(gf, 'So 2 / 3 = 0.66.').truncated;
  assert.deepEqual(
    { ...truncation, computed: truncation.computed.toFixed(4) },
    {
      ...{ line: 1, column: 12, printed: '0.66', computed: '0.6667', corrected: '0.67' },
      message: 'The text prints 0.66, truncated; rounded, it is 0.67.',
    },
  );
});

test('causes: a misconception by name, what is carried from another flag, early rounding', () => {
  const text = [
    'Q = [[1, 2], [3, 1]]',
    'K = [[2, 1], [1, 1]]',
    'Scores = Q K^T = [[4, 3], [7, 5]]',
    'Scaled scores = Scores / √2 = [[2.83, 2.12], [4.95, 3.54]]',
  ].join('\n');
  const { flags } = check(gf, text);
  assert.deepEqual(
    flags.map(({ printed, cause, follows }) => [printed, cause, follows]),
    [
      ['5', 'slip', undefined],
      ['3.54', 'carried', 1],
    ],
  );
  const scaled =
    'Q = [[1, 2], [3, 1]]\nK = [[2, 1], [1, 1]]\nScores: [[4, 3], [7, 4]]\nScaled scores: [[2.00, 1.50], [3.50, 2.00]]';
  const causes = check(gf, scaled).flags.map(({ cause }) => cause);
  assert.deepEqual(new Set(causes), new Set(['misconception:scale-by-dk']));
  const early =
    'weights = softmax([2, 2, 2]) = [0.333, 0.333, 0.333]\noutput = 0.333·[2,0] + 0.333·[1,1] + 0.333·[1,0] = [1.332, 0.333]';
  const rounded = check(gf, early).flags;
  assert.deepEqual(
    rounded.map(({ printed, cause }) => [printed, cause]),
    [['1.332', 'rounded']],
  );
  /* Such a number is not wrong by what the text prints: it is corrected for whoever asks. */
  assert.equal(fixed(early, rounded), early);
  assert.equal(fixed(early, rounded, { rounding: 'strict' }), early.replace('1.332', '1.333'));
});

test('an equation goes on behind a matrix that leaves numbers out', () => {
  const { flags, notUnderstood } = check(
    gf,
    `Q = [[1.0, 0.5], [0.8, 1.2]]
K = [[0.5, 0.25], [0.4, 0.6]]
Scores = Q K^T = \\begin{bmatrix} 1.0 \\cdot 0.5 + 0.5 \\cdot 0.25 & \\cdots \\end{bmatrix}
= \\begin{bmatrix} 0.625 & 0.8 \\\\ 0.7 & 1.04 \\end{bmatrix}`,
  );
  assert.deepEqual(
    flags.map(({ line, printed, cause }) => [line, printed, cause]),
    [[4, '0.8', 'slip']],
  );
  assert.deepEqual(
    notUnderstood.map(({ line }) => line),
    [3],
  );
});

test('a result that is printed as it is was not rounded, and excuses nothing that follows', () => {
  const { flags } = check(
    gf,
    `X = [[1.0, 0.5], [0.8, 1.2], [0.3, 0.9]]
W = [[0.5, 0], [0, 0.5]]
K = X · W = [[0.5, 0.25], [0.4, 0.6], [0.15, 0.45]]
Scores = X · K^T = [[0.625, 0.8, 0.375], [0.7, 1.04, 0.66], [0.375, 0.66, 0.45]]`,
  );
  assert.deepEqual(
    flags.map(({ line, printed, cause }) => [line, printed, cause]),
    [[4, '0.8', 'slip']],
  );
});

test('a number that repeats a wrong result is no rounded one, wherever it stands', () => {
  const { flags } = check(
    gf,
    `x = [0.2, 0.5, 0.1, 0.3]
W = [[0.2, 0.3, 0.1], [0.4, 0.2, 0.5], [0.1, 0.6, 0.3], [0.3, 0.1, 0.4]]
q = x · W = [0.31, 0.33, 0.29]

q = [0.31, 0.33, 0.29]
k = [0.42, 0.18, 0.31]

Score(q, k) = 0.31×0.42 + 0.33×0.18 + 0.29×0.31 = 0.280`,
  );
  const last = flags.at(-1);
  assert.deepEqual([last.printed, last.cause, last.follows], ['0.280', 'carried', 4]);
});

test('a number that is right behind a wrong one is not made wrong', () => {
  const text = 'q = (1, 2), k = (2, 2)\n\nq · k = 1·2 + 2·2 = 7\n\n7/√2 = 4.24\n';
  const printed = (/** @type {string} */ written) =>
    check(gf, written).flags.map((flag) => [flag.printed, flag.corrected]);
  assert.deepEqual(printed(text), [['7', '6']]);
  /* Neither by what is printed nor by what should be. */
  assert.deepEqual(printed(text.replace('4.24', '4.42')).at(-1), ['4.42', '4.95']);
  /* A number of its own, which only looks like the wrong one. */
  assert.deepEqual(printed(`a = (7, 1)\n\n${text}`).at(-1), ['4.24', '4.95']);
});

test('what is not understood is listed with its line', () => {
  const { flags, notUnderstood } = check(gf, 'One.\nx = [0.2, 0.5, ...]\ny = foo(3) = 4');
  assert.deepEqual(flags, []);
  assert.equal(notUnderstood[0].line, 2);
});

test('what is computed with is understood, whether by its name or by its numbers', () => {
  const lines = (/** @type {string} */ text) =>
    check(gf, text).notUnderstood.map(({ line }) => line);
  assert.deepEqual(lines('x = [1, 2]\ny = x / 4\nprint(y)\n# [0.25 0.5]'), []);
  assert.deepEqual(lines('q = (1, 3)\nk = (2, 5)\n\nscore: 1·2 + 3·5 = 17'), []);
  assert.deepEqual(lines('q = (1, 3)\nk = (2, 4)\n\nscore: 1·2 + 3·5 = 17'), [2]);
});

test('numbers in sentences are said to be left out, those of a step are not', () => {
  const text =
    'β = 0.95\neps: 0.001\n\nStep 2: we get 1·2 + 3·5 = 17. Dividing by √2 gives 3.54 and 2.38.\n\nloss = -ln(0.25) = 1.386';
  const { flags, notUnderstood } = check(gf, text);
  assert.deepEqual(flags, []);
  assert.deepEqual(
    notUnderstood.map(({ line, why, text }) => [line, why, text]),
    [[4, 'sentence', '3.54 and 2.38']],
  );
});

test('fixed corrects the flagged numbers, in their decimals, and nothing else', () => {
  const text = 'A\r\n  0.65 × 1.1 + 0.35 × 0.2 = 0.91 \t\r\n√9 = 4\n';
  const { flags } = check(gf, text);
  assert.equal(fixed(text, flags), 'A\r\n  0.65 × 1.1 + 0.35 × 0.2 = 0.79 \t\r\n√9 = 3\n');
  for (let seed = 1; seed <= 40; seed++) {
    const { text: wrong } = mutated(seed);
    const right = fixed(wrong, check(gf, wrong).flags, { rounding: 'strict' });
    assert.deepEqual(check(gf, right).flags, []);
  }
  assert.throws(() => fixed('other', flags), RangeError);
});

const PARTS =
  '[[ ]] ( ) { } [ , ; : | |---| & \\\\ \\begin{bmatrix} \\end{bmatrix} \\frac \\sqrt \\text{ } = ≈ → + - − · × * / ^ ^T ² √ 0.5 1 2. .3 1e999 -∞ softmax exp W_Q Q K V QK^T scores <table> <tr> <td> </td> </tr> </table> np.array( $ \n \n\n π 😀 \u0000 "'.split(
    ' ',
  );

test('no text breaks it', () => {
  /* Seeds come to this rarely: a matrix whose first row is empty. */
  assert.deepEqual(check(gf, '$\\begin{bmatrix} \\\\ 3 \\end{bmatrix} = 2$').flags, []);
  for (let i = 0; i < (full ? 10_000 : 1_000); i++) {
    const roll = dice(i, 5);
    const parts = Array.from({ length: roll(60) }, () => PARTS[roll(PARTS.length)]);
    const text = parts.join([' ', ''][roll(2)]);
    const { flags } = check(gf, text);
    fixed(text, flags);
  }
});

test('10 kB of one part, over and over, are refused or read', () => {
  for (const part of PARTS.filter(Boolean)) {
    for (const joint of ['', ' ', '1']) {
      check(gf, `${part}${joint}`.repeat(Math.ceil(10_000 / (part.length + joint.length))));
    }
  }
});

test('wrong arguments are told', () => {
  assert.throws(() => check(gf, 1), TypeError);
  assert.throws(() => check(gf, '', { lang: 'it' }), RangeError);
  assert.throws(() => check(gf, '', { format: 'latex' }), TypeError);
  assert.throws(() => check({}, ''), TypeError);
  assert.throws(() => fixed('', [{}]), TypeError);
});

/** Whether a flag is of a number of a list; some examples start from what a text prints as 1.732, others from its root. */
const isOf = (flag, list) =>
  list.some(
    ({ printed, computed }) =>
      Number(flag.printed) === printed && Math.abs(flag.computed - computed) < 2e-3,
  );

if (texts) {
  for (const file of readdirSync(texts)) {
    const names = EXAMPLES_OF[file.slice(0, 3)];
    if (!names) continue;
    test(`${file}: what its worked examples call wrong is flagged, and nothing else`, async () => {
      const { mismatches: listed, truncated: cut } = await listsOf(names);
      const { flags, truncated } = check(gf, readFileSync(path.join(texts, file), 'utf8'));
      /* What is wrong only because of a number before it may hold for the numbers of its own equation. */
      for (const one of listed.filter(({ cause }) => cause === 'step'))
        assert.ok(
          flags.some((flag) => isOf(flag, [one])),
          `${one.printed}`,
        );
      const others = flags.filter((flag) => flag.cause !== 'rounded' && !isOf(flag, listed));
      assert.deepEqual(printedIn(others), []);
      /* An equation may cut off what it computes from its rounded numbers: 1.22 / 1.41 = 0.86. */
      const left = new Set(printedIn(truncated));
      for (const one of cut) assert.ok(left.has(one), `${one}`);
      assert.ok(left.size - new Set(cut).size <= 1, `${[...left]}`);
    });
  }
}
