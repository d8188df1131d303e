// Verdicts on printed numbers, against float64: a number is right if it is the rounding of what is computed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { printedAs, verdictOf } from '../../bindings/js/number/judge.js';

/** What a text prints, and one in its last digit. @param {string} text */
function printed(text) {
  const [, fraction = '', power = '0'] = /** @type {RegExpExecArray} */ (
    /^-?\d*(?:\.(\d+))?(?:e(-?\d+))?$/.exec(text)
  );
  return { value: Number(text), unit: Number(`1e${Number(power) - fraction.length}`) };
}

for (const [text, value, due] of /** @type {[string, number, string | null][]} */ ([
  ['0.74', 0.7347, null],
  ['0.73', 0.7347, 'rounded'],
  ['0.87', 0.8604, null],
  ['0.38', 0.3732, null],
  ['0.32', 0.3107, null],
  ['0.100', 0.099, null],
  ['0.133', 0.132, null],
  ['2.86', Math.exp(1.05), 'rounded'],
  ['1.160', Math.exp(0.148), 'rounded'],
  ['1.332', 4 / 3, null],
  ['1.333', 4 / 3, 'rounded'],
  ['1.334', 4 / 3, null],
  ['0.666', 2 / 3, 'truncated'],
  ['0.667', 2 / 3, 'rounded'],
  /* Half a unit goes up or to the even digit; a little more does not. */
  ['0.12', 0.125, 'rounded'],
  ['0.13', 0.125, 'rounded'],
  ['0.13', 0.12495, null],
  ['0.8', 0.75, 'rounded'],
  ['0.7', 0.75, 'truncated'],
  ['-0.7', -0.75, 'truncated'],
  ['-0.8', -0.75, 'rounded'],
  ['0.2', 0.25, 'rounded'],
  ['0.3', 0.25, 'rounded'],
  ['0', 0.5, 'rounded'],
  ['3', 3.5, 'truncated'],
  ['2', 2.5, 'rounded'],
  ['1.3e2', 135, 'truncated'],
  ['1.2e2', 125, 'rounded'],
  /* Float64 has no 0.35: programs print 0.3, people 0.4. */
  ['0.3', 0.35, 'rounded'],
  ['0.4', 0.35, 'rounded'],
  ['0.7', Math.fround(0.7500001), 'rounded'],
  ['-0.13', -0.125, 'rounded'],
  /* Signs: towards zero is a truncation, away from it is wrong. */
  ['0.34', -0.34, null],
  ['-0.34', 0.34, null],
  ['-1.34', -1.3416, 'rounded'],
  ['-1.3416', -1.34164, 'rounded'],
  ['-1.3', -1.36, 'truncated'],
  ['-1.4', -1.32, null],
  ['-0.00', 0.004, 'rounded'],
  ['-1', 0.4, null],
  /* No decimals: the last digit is the unit. */
  ['3', 2.6, 'rounded'],
  ['2', 2.6, 'truncated'],
  ['4', 2.6, null],
  ['0', 0.7, 'truncated'],
  ['0', -0.7, 'truncated'],
  ['-1', -0.6, 'rounded'],
  /* Powers of ten: the unit goes with them. */
  ['1.2e-8', 1.24e-8, 'rounded'],
  ['1.2e-8', 3.4e-8, null],
  ['1.2e3', 1249, 'rounded'],
  ['1.2e3', 1280, 'truncated'],
  ['1.2e3', 1310, null],
  /* float32 of the core: 2/3 of 7 digits. */
  ['0.66666667', Math.fround(2 / 3), 'rounded'],
  ['1234567.891', Math.fround(1234567.891), 'rounded'],
  ['0.6', Math.fround(0.7), null],
  ['0', 0, 'rounded'],
])) {
  test(`${text} of ${value} is ${due ?? 'wrong'}`, () => {
    assert.equal(printedAs(printed(text), value), due);
  });
}

test('infinities are themselves alone', () => {
  const [least, most] = [-Infinity, Infinity].map((value) => ({ value, unit: 0 }));
  assert.equal(printedAs(least, -Infinity), 'rounded');
  assert.equal(printedAs(most, -Infinity), null);
  assert.equal(printedAs(least, 1), null);
  assert.equal(printedAs(printed('1'), Infinity), null);
});

test('toFixed is rounded, one unit beside it is not; cut digits are truncated or rounded', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -1e6, max: 1e6 }),
      fc.integer({ min: 0, max: 4 }),
      (n, decimals) => {
        const value = n / 1e6;
        /* Neither a half nor exact, for which float32 would decide. */
        const rest = Math.abs(value * 10 ** decimals) % 1;
        fc.pre([0, 0.5, 1].every((place) => Math.abs(rest - place) > 0.01));
        const rounded = value.toFixed(decimals);
        assert.equal(printedAs(printed(rounded), value), 'rounded');
        const units = 10 ** decimals;
        const cut = Math.trunc(value * units);
        const beside = cut + Math.sign(value) * (Math.abs(value * units - cut) < 0.5 ? 1 : -1);
        for (const [count, due] of [
          [cut, Math.round(value * units) === cut ? 'rounded' : 'truncated'],
          [beside, null],
        ]) {
          const text = (Number(count) / units).toFixed(decimals);
          assert.equal(printedAs(printed(text), value), due, `${text} of ${value}`);
        }
      },
    ),
    { numRuns: 2000, seed: 1 },
  );
});

test('an equation of the working may hold for the numbers that it prints', () => {
  const exact = Math.exp(1.48 / Math.SQRT2);
  const judged = (/** @type {string} */ text) => verdictOf(printed(text), exact, [Math.exp(1.05)]);
  assert.deepEqual(['2.85', '2.86', '2.84', '2.83', '2.87'].map(judged), [
    'rounded',
    'working',
    'truncated',
    'wrong',
    'wrong',
  ]);
  /* Not a result: 0.333 · 2 + 0.333 + 0.333 for 4/3. */
  assert.equal(verdictOf(printed('1.332'), 4 / 3), 'wrong');
  assert.equal(verdictOf(printed('1.332'), 4 / 3, [0.333 * 4]), 'working');
});
