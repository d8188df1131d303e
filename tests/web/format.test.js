import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { fill, ink, luminance } from '../../web/draw/colour.js';
import { abbreviate, display, parseNumber, shortest } from '../../web/draw/format.js';

const float32 = fc.float({ noNaN: true });

describe('numbers as text', () => {
  test('the shortest decimal reads back as the same float32', () => {
    fc.assert(fc.property(float32, (x) => Object.is(Math.fround(Number(shortest(x))), x)));
    assert.equal(shortest(Math.fround(0.1)), '0.1');
    assert.equal(shortest(Math.fround(1 / 3)), '0.33333334');
    assert.equal(shortest(Number.NEGATIVE_INFINITY), '-Infinity');
    /* What is computed in float64 is rounded once: nine of its own digits lead to the next float32. */
    assert.equal(shortest(0.3439000695228549), '0.34390005');
  });

  test('what is shown is the number itself, cut off after at least four digits', () => {
    fc.assert(
      fc.property(float32, (x) => {
        const shown = display(x);
        if (!Number.isFinite(x)) return /^-?inf$/.test(shown);
        if (!shown.includes('…')) return Math.fround(Number(shown)) === x;
        const [digits, exponent = ''] = shown.split('…');
        const whole = String(Number(shortest(x)));
        const counted = digits.replace(/^-?[0.]*/, '').replace('.', '').length;
        return counted >= 4 && whole.startsWith(digits) && whole.endsWith(exponent);
      }),
    );
  });

  test('shows', () => {
    const shown = [2 / 3, -2 / 3, 4, 0.45, -0, 1234.5678, 0.00012345, 1e-9].map(Math.fround);
    assert.deepEqual(
      shown.map((x) => display(x)),
      ['0.6666…', '-0.6666…', '4', '0.45', '0', '1234…', '0.0001234…', '1e-9'],
    );
  });

  test('an abbreviation is short and within half of its last digit', () => {
    const usual = fc.float({ min: Math.fround(-999), max: Math.fround(999), noNaN: true });
    fc.assert(
      fc.property(usual, (x) => {
        const shown = abbreviate(x);
        return shown.length <= 6 && Math.abs(Number(shown) - x) <= Math.max(0.5, Math.abs(x) / 2);
      }),
    );
  });

  test('reads what people type, and nothing else', () => {
    const good = {
      2: 2,
      '-0.5': -0.5,
      '.25': 0.25,
      '1e-3': Math.fround(1e-3),
      '0,5': 0.5,
      ' 7 ': 7,
    };
    for (const [text, value] of Object.entries(good)) assert.equal(parseNumber(text), value, text);
    assert.equal(parseNumber('-inf'), Number.NEGATIVE_INFINITY);
    for (const text of ['', 'abc', '1..2', '0x10', '1e99', 'NaN', '--1', 'Infinity']) {
      assert.equal(parseNumber(text), null, text);
    }
  });
});

describe('colours', () => {
  const themes = fc.constantFrom('light', 'dark');
  const scales = fc.constantFrom('signed', 'probability');

  test('digits on any fill have a contrast of 4.5 or more', () => {
    fc.assert(
      fc.property(float32, scales, themes, (x, scale, theme) => {
        const rgb = fill(x, scale, 3, theme);
        const paper = luminance(rgb) + 0.05;
        const text = luminance(ink(rgb) === '#000' ? [0, 0, 0] : [255, 255, 255]) + 0.05;
        return Math.max(paper, text) / Math.min(paper, text) >= 4.5;
      }),
    );
  });

  test('opposite values have different fills, and zero is paper', () => {
    const [minus, zero, plus] = [-1, 0, 1].map((x) => fill(x, 'signed', 2, 'light').join());
    assert.equal(new Set([minus, zero, plus]).size, 3);
    assert.equal(zero, '251,250,246');
  });
});
