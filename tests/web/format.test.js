import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { fill, ink, luminance } from '../../web/stage/draw/colour.js';
import {
  beside,
  DIGITS,
  decimalsOf,
  display,
  fraction,
  full,
  inCells,
  parseNumber,
  plainly,
  shortest,
  withStyle,
} from '../../web/stage/draw/format.js';
import { drawHeatmap } from '../../web/stage/draw/heatmap.js';
import { displays, isNear, nearest } from './rounding.js';

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

  test('a number of the reader’s is a fraction where no decimal says it as well', () => {
    const third = [1 / 3, -2 / 3, 22 / 7, 1 / 6, -1 / 30];
    assert.deepEqual(third.map(fraction), ['1/3', '−2/3', '22/7', '1/6', '−1/30']);
    const decimals = [0, -0, 3, -123456, 0.3, 0.1875, 1 / 25, 12.75, 1e-30, 1e30, NaN, -Infinity];
    assert.deepEqual([...new Set(decimals.map(fraction))], ['']);
    fc.assert(fc.property(fc.integer({ min: -99999, max: 99999 }), (n) => !fraction(n / 1000)));
  });

  const digits = fc.constantFrom(...DIGITS);
  const usual = { digits: 'text', point: '.' };
  const written = (wanted, write) => withStyle({ ...usual, ...wanted }, write);

  test('a style is that of its work alone, whatever becomes of it', () => {
    const third = () => display(1 / 3);
    const [few, more] = [
      { digits: 2, point: ',' },
      { digits: 4, point: '.' },
    ];
    const nested = withStyle(few, () => [third(), withStyle(more, third), third()]);
    assert.deepEqual(nested, ['0,33', '0.3333', '0,33']);
    assert.equal(third(), '0.333');
    const fails = () => {
      throw new RangeError('no');
    };
    assert.throws(() => withStyle(few, fails), RangeError);
    assert.equal(third(), '0.333');
  });

  test('what is shown is the exact number, rounded', () => {
    const least = { text: 3, all: 9 };
    fc.assert(
      fc.property(float32, digits, fc.constantFrom('.', ','), (x, digits, point) => {
        const shown = written({ digits, point }, () => display(x));
        return displays(shown, x, { point, least: least[digits] ?? digits });
      }),
      { numRuns: 1000 },
    );
  });

  test('what only float32 made longer is shown without it, but where all digits are asked for', () => {
    const product = Math.fround(Math.fround(0.3) * -3);
    assert.equal(display(product), '−0.9');
    assert.equal(display(product, { decimals: 2 }), '−0.9');
    assert.equal(display(Math.fround(0.9004)), '0.900');
    assert.equal(
      written({ digits: 'all' }, () => display(product)),
      '−0.90000004',
    );
  });

  test('a number of the text has the text’s decimals, and more if they are asked for', () => {
    const decimals = fc.integer({ min: 1, max: 5 });
    const usual = fc.float({ min: -1e6, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(usual, decimals, fc.nat(4), (x, decimals, more) => {
        const shown = display(x, { decimals, more });
        /* A small number that needs no more digits has a power of ten. */
        if (shown.includes('×') || isNear(Number(shown.replace('−', '-')), x))
          return displays(shown, x);
        return BigInt(shown.replace(/[.−]/g, '')) === nearest(Math.abs(x), -decimals - more);
      }),
    );
    const trace = { printed: { weights: { text: ['0.42', null, '0.5'] }, ids: { text: ['4'] } } };
    const counted = ['weights', 'ids', 'other'].map((node) => decimalsOf(trace, node));
    assert.deepEqual(counted, [2, undefined, undefined]);
  });

  test('shows', () => {
    const values = [2 / 3, -2 / 3, 4, 0.45, -0, 1234.5678, 0.00012345, 1e-9, 1.0003, 9.9996];
    const shown = (digits) =>
      written({ digits }, () => values.map((x) => display(Math.fround(x))).join(' '));
    assert.equal(shown('text'), '0.667 −0.667 4 0.45 0 1235 1.23×10⁻⁴ 1×10⁻⁹ 1.00 10.0');
    assert.equal(shown(2), '0.67 −0.67 4 0.45 0 1235 1.2×10⁻⁴ 1×10⁻⁹ 1.0 10');
    assert.equal(
      shown('all'),
      '0.6666667 −0.6666667 4 0.45 0 1234.5677 1.2345×10⁻⁴ 1×10⁻⁹ 1.0003 9.9996',
    );
    assert.equal(display(Number.NEGATIVE_INFINITY), '−∞');
    assert.equal(
      written({ point: ',' }, () => full(Math.fround(-1 / 3))),
      '−0,33333334',
    );
    /* A half is rounded away from zero. */
    const halves = [0.125, -0.125, 2.5].map((x) => display(x, { decimals: 2 }));
    assert.deepEqual(halves, ['0.13', '−0.13', '2.5']);
  });

  test('what stands beside a printed number differs from it where it is wrong', () => {
    assert.equal(
      written({ digits: 2 }, () => beside(Math.fround(4 / 3), '1.332')),
      '1.333',
    );
  });

  test('cells show the digits that fit, 12 px high or more, and all of a matrix the same', () => {
    const some = fc.array(fc.float({ min: -99, max: 99, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(some, fc.integer({ min: 32, max: 120 }), digits, (values, width, digits) =>
        written({ digits }, () => {
          const { write, font } = inCells(values, { width, height: 20 }, { unit: 1 });
          return font >= 12 && values.every((x) => displays(write(x), x));
        }),
      ),
    );
    const cell = (width) => inCells([-1 / 3, 0.5], { width, height: 28 }, { unit: 1 });
    assert.deepEqual(
      [32, 36, 42, 50, 112].map((width) => cell(width).write(-1 / 3)),
      ['−0.3', '−0.3', '−0.33', '−0.333', '−0.333'],
    );
    const narrow = (width) =>
      inCells([-1 / 3, 0.5], { width, height: 28 }, { unit: 1, digit: 0.52 }).write(-1 / 3);
    assert.deepEqual([32, 36, 42].map(narrow), ['−0.3', '−0.33', '−0.333'], 'in a narrower face');
    const weights = inCells(
      [0.933, 0.0132, 2.4e-3],
      { width: 36, height: 20 },
      { unit: 1, digit: 0.52 },
    );
    assert.equal(
      weights.write(0.0132),
      '0.013',
      'what is next to nothing takes no digits from others',
    );
    /* A power of ten takes the room of its digits: those of the other numbers set the height. */
    const small = (width) => inCells([0.999, 3.71e-5], { width, height: 34 }, { unit: 1 });
    assert.deepEqual(
      [40, 52, 74, 112].map((width) => small(width).write(3.712e-5)),
      ['0.00', '4×10⁻⁵', '3.7×10⁻⁵', '3.71×10⁻⁵'],
    );
    assert.equal(inCells([0, 0.04], { width: 8, height: 28 }, { unit: 1 }).write(0), '0');
    const beside = inCells([0.0041, 1.03], { width: 36, height: 32 }, { unit: 1 });
    const brief = [0.0041, 0.97, 1.03, -1.26, 1, 1234.5, 412345678].map(beside.write);
    assert.deepEqual(brief, ['0.00', '0.97', '1.03', '−1.3', '1', '1235', '4×10⁸']);
    /* A share that is next to nothing is not said to be less than one that is larger than its neighbours. */
    const shares = (width) =>
      plainly(() => {
        const how = { unit: 1, decimals: 4, digit: 0.52 };
        const { write } = inCells([0.00001, 0.0012, 0.9986], { width, height: 20 }, how);
        return [0.00001, 0.0012].map((x) => plainly(() => write(x)));
      });
    assert.deepEqual(shares(112), ['<\u202f0.0001', '0.0012']);
    assert.deepEqual(shares(42), ['0.0000', '0.0012']);
  });

  test('all digits of a number keep off the edges of its cell', () => {
    written({ digits: 'all' }, () => {
      for (let width = 32; width <= 140; width++) {
        const { write, font } = inCells([-1 / 3], { width, height: 54 }, { unit: 1 });
        /* As wide as digits are where they are widest. */
        const wide = [...write(-1 / 3)].reduce(
          (sum, sign) => sum + ('.,'.includes(sign) ? 0.32 : sign === '−' ? 0.84 : 0.64),
          0,
        );
        const edges = font > 12 ? 8 : width < 36 ? 2 : 4;
        assert.ok(wide * font <= width - edges + 1e-9, `${width}: ${write(-1 / 3)}`);
      }
    });
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
    assert.equal(parseNumber('−∞'), Number.NEGATIVE_INFINITY);
    assert.equal(parseNumber('−1,5e−3'), Math.fround(-1.5e-3));
    assert.equal(parseNumber('−1.5e−3'), Math.fround(-1.5e-3));
    for (const text of [
      '',
      'abc',
      '1..2',
      '0x10',
      '1e99',
      'NaN',
      '-',
      '1/0',
      'Infinity',
      '-1e99',
    ]) {
      assert.equal(parseNumber(text), null, text);
    }
  });
});

describe('heat maps', () => {
  test('mark what was edited and what that changed, and nothing else', () => {
    const drawn = [];
    const note =
      (kind) =>
      (...place) =>
        drawn.push([kind, ...place]);
    const paths = ['beginPath', 'moveTo', 'lineTo', 'clearRect'];
    const context = {
      fillRect: note('rect'),
      fill: note('corner'),
      ...Object.fromEntries(paths.map((name) => [name, () => {}])),
    };
    const canvas = { getContext: () => context };
    const marks = ['edited', null, null, 'changed'];
    const map = {
      ...{ rows: 2, columns: 2, width: 8, height: 16, scale: 'signed', limit: 1, theme: 'light' },
      at: () => 0.5,
      mark: (row, column) => marks[2 * row + column],
    };
    drawHeatmap(canvas, map, 1);
    assert.deepEqual(drawn, [
      ['rect', 0, 0, 7, 15],
      ['corner'],
      ['rect', 8, 0, 7, 15],
      ['rect', 0, 16, 7, 15],
      ['rect', 8, 16, 7, 15],
      ['rect', 8, 29, 7, 2],
    ]);
    /* Where there is room, a negative number has its sign, in whatever colour. */
    drawn.length = 0;
    const signed = { ...map, rows: 1, width: 12, mark: undefined, at: (_, column) => column - 0.5 };
    drawHeatmap(canvas, signed, 1);
    assert.deepEqual(drawn, [
      ['rect', 0, 0, 11, 15],
      ['rect', 2, 7, 5, 1],
      ['rect', 12, 0, 11, 15],
    ]);
    drawn.length = 0;
    drawHeatmap(canvas, { ...signed, scale: 'probability' }, 1);
    assert.equal(drawn.length, 2);
    /* However small a cell is, its mark is there. */
    drawn.length = 0;
    drawHeatmap(canvas, { ...map, width: 2, height: 2, mark: () => 'changed' }, 2);
    assert.equal(drawn.length, 8);
  });

  test('rows of a table that nothing takes are pale', () => {
    const seen = [];
    const context = {
      clearRect: () => {},
      fillRect: () => seen.push(context.globalAlpha),
      globalAlpha: 1,
    };
    const canvas = { getContext: () => context };
    const map = {
      rows: 3,
      columns: 1,
      width: 2,
      height: 2,
      at: () => 1,
      scale: 'signed',
      limit: 1,
    };
    drawHeatmap(canvas, { ...map, theme: 'light', isAside: (row) => row !== 1 }, 1);
    assert.ok(seen[0] < 0.5 && seen[2] < 0.5, String(seen));
    assert.equal(seen[1], 1);
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
