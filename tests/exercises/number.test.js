// Numbers as people write them, against what they mean.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readNumber } from '../../bindings/exercises/marking/number.js';
import { chance } from './learner.js';
import { full } from './setup.js';

const { SQRT2, E, PI } = Math;

/** @type {[string, number][]} */
const READ = [
  ['0', 0],
  ['4', 4],
  ['-4', -4],
  ['+4', 4],
  ['−4', -4],
  ['–4', -4],
  ['‐4', -4],
  ['‑4', -4],
  ['- 4', -4],
  ['  4  ', 4],
  ['\t4\n', 4],
  ['\u00a04\u00a0', 4],
  ['\u202f4', 4],
  ['007', 7],
  ['1.33', 1.33],
  ['1,33', 1.33],
  ['-1,33', -1.33],
  ['−1.33', -1.33],
  ['.5', 0.5],
  [',5', 0.5],
  ['5.', 5],
  ['-.5', -0.5],
  ['0.1', 0.1],
  ['123.456', 123.456],
  ['1 000', 1000],
  ['1 000 000', 1e6],
  ['1\u202f000,5', 1000.5],
  ["1'000.5", 1000.5],
  ['1’000', 1000],
  ['12 345.25', 12345.25],
  ['1e3', 1000],
  ['1E3', 1000],
  ['1.2e-3', 0.0012],
  ['1,2e-3', 0.0012],
  ['1.2e−3', 0.0012],
  ['1.2e+3', 1200],
  ['-2e2', -200],
  ['1.2·10^-3', 0.0012],
  ['1.2·10^−3', 0.0012],
  ['1.2 × 10^2', 120],
  ['1.2*10^2', 120],
  ['10^3', 1000],
  ['10^-3', 0.001],
  ['2^0.5', SQRT2],
  ['2^-1', 0.5],
  ['4/3', 4 / 3],
  ['-4/3', -4 / 3],
  ['4/-3', -4 / 3],
  ['4 / 3', 4 / 3],
  ['4÷3', 4 / 3],
  ['4∕3', 4 / 3],
  ['1/2/2', 0.25],
  ['1/3+1/3', 2 / 3],
  ['1 - 1/3', 2 / 3],
  ['1,5/2', 0.75],
  ['2/√2', SQRT2],
  ['√2', SQRT2],
  ['√(2)', SQRT2],
  ['√(1+1)', SQRT2],
  ['√ 2', SQRT2],
  ['sqrt(2)', SQRT2],
  ['sqrt 2', SQRT2],
  ['SQRT(2)', SQRT2],
  ['3√2', 3 * SQRT2],
  ['3 √2', 3 * SQRT2],
  ['3·√2', 3 * SQRT2],
  ['3sqrt(2)', 3 * SQRT2],
  ['-√2', -SQRT2],
  ['√2/2', SQRT2 / 2],
  ['1/√2', 1 / SQRT2],
  ['√√16', 2],
  ['2√2√2', 4],
  ['(1+2)/3', 1],
  ['(1 + 2) / 3', 1],
  ['2(1+1)', 4],
  ['(2)(3)', 6],
  ['((2))', 2],
  ['-(1+2)', -3],
  ['2*3+4', 10],
  ['4+2*3', 10],
  ['2-3-4', -5],
  ['--2', 2],
  ['2⋅3', 6],
  ['e^2', E ** 2],
  ['e^-1', 1 / E],
  ['e^(1/2)', Math.sqrt(E)],
  ['exp(1)', E],
  ['exp(-2)', E ** -2],
  ['e^1/(e^1+e^2)', E / (E + E ** 2)],
  ['2e^2', 2 * E ** 2],
  ['e', E],
  ['e²', E ** 2],
  ['2e²', 2 * E ** 2],
  ['1.2·10⁻³', 0.0012],
  ['2³', 8],
  ['-ln(1/3)', Math.log(3)],
  ['− ln 0,5', Math.LN2],
  ['LN(2)/2', Math.LN2 / 2],
  ['2 ln 2', 2 * Math.LN2],
  ['sin 1', Math.sin(1)],
  ['cos(0)', 1],
  ['2^3^2', 512],
  ['-2^2', -4],
  ['9%', 0.09],
  ['9 %', 0.09],
  ['33,3\u202f%', 0.333],
  ['-50 %', -0.5],
  ['1/4 %', 0.0025],
  ['100 % - 9 %', 0.91],
  ['∞', Infinity],
  ['−∞', -Infinity],
  ['-∞', -Infinity],
  ['- ∞', -Infinity],
  ['-inf', -Infinity],
  ['-Inf', -Infinity],
  ['-infinity', -Infinity],
  ['Infinity', Infinity],
  ['1/0', Infinity],
];

/** Each with the place from which on it is no number. @type {[string, number][]} */
const UNREADABLE = [
  ['x', 0],
  ['four', 0],
  ['4x', 1],
  ['4 4', 2],
  ['1.2.3', 3],
  ['1,2,3', 3],
  ['1.234,5', 5],
  ['4/', 2],
  ['/4', 0],
  ['(4', 2],
  ['4)', 1],
  ['()', 1],
  ['√', 1],
  ['sqrt', 4],
  ['4+', 2],
  ['4*/3', 2],
  ['-', 1],
  ['.', 0],
  [',', 0],
  ['1e', 1],
  ['e^', 2],
  ['nan', 0],
  ['1 00', 2],
  ['%', 0],
  ['4 % 4', 4],
  ['≈4', 0],
  ['=4', 0],
  ['0/0', 3],
  ['√(-1)', 5],
  ['∞-∞', 3],
  ['ln', 2],
  ['ln 1/3', 4],
  ['ln 2^2', 4],
  ['ln(-1)', 6],
  ['log 2', 0],
];

describe('what a number means', () => {
  for (const [text, value] of READ) {
    test(JSON.stringify(text), () => {
      const read = readNumber(text);
      assert.ok(read && 'value' in read, JSON.stringify(read));
      const near = Math.abs(read.value - value) <= 1e-14 * Math.max(1, Math.abs(value));
      assert.ok(Object.is(read.value, value) || near, `${read.value}, not ${value}`);
    });
  }
});

describe('where what is no number begins', () => {
  for (const [text, at] of UNREADABLE) {
    test(JSON.stringify(text), () => assert.deepEqual(readNumber(text), { at }));
  }
});

test('nothing is nothing', () => {
  for (const text of ['', ' ', '\t', '\u00a0', '\n ']) assert.equal(readNumber(text), null);
});

test('decimals and digits are those that were written; an expression is exact', () => {
  for (const [text, decimals, significant] of /** @type {const} */ ([
    ['1.330', 3, 4],
    ['1,3', 1, 2],
    ['4', 0, 1],
    ['0.0120', 4, 3],
    ['-0.5', 1, 1],
    ['1.2e-3', 4, 2],
    ['1.25e1', 1, 3],
    ['1 000', 0, 4],
  ])) {
    const read = /** @type {any} */ (readNumber(text));
    assert.deepEqual([read.decimals, read.significant], [decimals, significant], text);
  }
  for (const text of ['4/3', '√2', '1+1', '−∞']) {
    const read = /** @type {any} */ (readNumber(text));
    assert.deepEqual([read.decimals, read.significant], [null, null], text);
  }
});

const PIECES = [
  ...'0123456789',
  ...".,+-−–*·×/÷^()√∞eE \u202f'x",
  'sqrt',
  'inf',
  'exp',
  'e^',
  'ln',
  'sin',
  '²',
  '⁻',
  '𝟏',
  '\0',
];

test('any text is a number, nothing, or no number from a place on', () => {
  const random = chance(1);
  for (let i = 0; i < (full ? 100_000 : 10_000); i++) {
    const length = random.below(i % 50 ? 12 : 400);
    const text = Array.from({ length }, () => random.pick(PIECES)).join('');
    const read = readNumber(text);
    if (read === null) assert.equal(text.trim(), '');
    else if ('value' in read) assert.ok(!Number.isNaN(read.value), text);
    else assert.ok(Number.isInteger(read.at) && read.at >= 0 && read.at <= text.length, text);
  }
});

test('no text takes long: what nests or is long ends soon', () => {
  for (const text of ['('.repeat(1e6), '-'.repeat(1e6), '√'.repeat(1e6), '1^'.repeat(1e6)]) {
    assert.ok('at' in Object(readNumber(text)));
    assert.ok('at' in Object(readNumber(text.slice(0, 199))));
  }
  assert.deepEqual(readNumber('1'.repeat(201)), { at: 200 });
  assert.equal(/** @type {any} */ (readNumber('3.14159265358979')).value.toFixed(8), PI.toFixed(8));
});
