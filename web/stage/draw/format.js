// Numbers as text: rounded as the reader wants them, and the full float32 behind it.

import { isMeant } from '../../../bindings/js/number/judge.js';
import { readNumber } from '../../../bindings/js/number/read.js';
import { memoized } from './memoized.js';

/**
 * The shortest decimal that reads back as the same float32: '0.1' rather than '0.10000000149011612'.
 * @param {number} value rounded to float32 if it is none
 */
export function shortest(value) {
  const single = Math.fround(value);
  if (!Number.isFinite(single)) return String(single);
  if (Object.is(single, -0)) return '-0';
  /* With more digits it is nearer: what enough are is halved. */
  let [few, enough] = [0, MAX_DIGITS];
  let nearest;
  while (enough - few > 1) {
    const digits = (few + enough) >> 1;
    const decimal = Number(single.toPrecision(digits));
    if (Math.fround(decimal) === single) [enough, nearest] = [digits, decimal];
    else few = digits;
  }
  return String(nearest ?? Number(single.toPrecision(MAX_DIGITS)));
}

/** Of more digits, a decimal may be near by chance. */
const BRIEF_DIGITS = 5;

/**
 * The decimal of few digits that a number is but for the roundings of float32, 0.8 for 0.8000001; null where there is none.
 * @param {number} value
 */
export function briefly(value) {
  const single = Math.fround(value);
  const decimal = Number(single.toPrecision(BRIEF_DIGITS));
  return isMeant(decimal, single) ? String(decimal) : null;
}

/** How many digits a reader may choose: as many as the text prints, so many, or all. */
export const DIGITS = /** @type {const} */ (['text', 2, 3, 4, 'all']);
/** Digits of a number that the text does not print. */
const USUAL_DIGITS = 3;
/** Digits that tell every float32 from the others. */
const MAX_DIGITS = 9;

/** @typedef {typeof DIGITS[number]} Digits */
/** How numbers are written: with how many digits, and which decimal mark; plain: without powers of ten, as lessons do.
 * @typedef {{ digits: Digits, point: '.' | ',', plain?: boolean }} Style */

/** @type {Style} */
let style = { digits: 'text', point: '.' };

/**
 * Does a work whose numbers are written in a style. What several figures in one page write does not mix: each element
 * draws inside such a work (elements/base.js).
 * @template T
 * @param {Style} wanted
 * @param {() => T} work is done at once, not later
 */
export function withStyle(wanted, work) {
  const outer = style;
  style = wanted;
  try {
    return work();
  } finally {
    style = outer;
  }
}

/** Beyond these, a number may be a fraction by chance. */
const MAX_DENOMINATOR = 30;
const MAX_FRACTION = 1000;

/** Whether so many parts of a whole are a decimal that ends. @param {number} below up to MAX_DENOMINATOR */
const ends = (below) => 10 ** 4 % below === 0;

/**
 * A typed fraction, where no decimal is as exact: 1/3; empty for other numbers.
 * @param {number} value
 */
export function fraction(value) {
  const single = Math.fround(value);
  if (!(Math.abs(single) < MAX_FRACTION)) return '';
  for (let below = 1; below <= MAX_DENOMINATOR; below++) {
    const above = Math.round(single * below);
    if (Math.fround(above / below) === single)
      return ends(below) ? '' : inSigns(`${above}/${below}`);
  }
  return '';
}

/** The decimal mark that numbers are written with. */
export const point = () => style.point;

/** What tells apart the styles in which numbers have other digits. */
export const digitsStyle = () => `${style.digits} ${style.plain}`;

/**
 * What is known of a number besides its value.
 * @typedef {object} As
 * @property {number} [decimals] so many the text prints behind the point of such a number
 * @property {number} [more] digits beyond the reader's choice; fewer where it is negative
 */

/**
 * A number as it is displayed, and the unit of its last digit: rounded to the nearest, and half a unit away
 * from zero, as toFixed and toPrecision round the exact value of a float32. Digits are significant ones, or
 * decimals where the text prints them; those before the point are never rounded away. What needs no more
 * digits than that, but for the roundings of float32, is shown as it is: zeros at the end tell a rounded number.
 * @param {number} value
 * @param {As} [as]
 * @returns {{ shown: string, unit: number }} shown: as Number() reads it
 */
export function rounded(value, { decimals, more = 0 } = {}) {
  const single = Math.fround(value);
  if (!Number.isFinite(single)) return { shown: String(single), unit: 0 };
  const shown =
    style.digits === 'all' && more >= 0
      ? exact(single)
      : style.digits === 'text' && decimals !== undefined
        ? fixed(single, Math.max(0, decimals + more))
        : precise(single, Math.max(1, wanted() + more));
  return {
    shown: isMeant(Number(shown), single) ? exact(Number(shown)) : shown,
    /* Few ask for it. */
    get unit() {
      return unitOf(shown);
    },
  };
}

const wanted = () =>
  style.digits === 'text' ? USUAL_DIGITS : style.digits === 'all' ? MAX_DIGITS : style.digits;

/** Numbers that are smaller, or as large as this, are written with a power of ten. */
const [SMALL, LARGE] = [1e-3, 1e7];
/** A small number that takes no more characters is written without one: 0.0005. */
const MAX_PLAIN_LENGTH = 7;
/** In a lesson, small numbers have so many. */
const PLAIN_DECIMALS = 4;

/**
 * The shortest decimal, with a power of ten where it would begin with many zeros.
 * @param {number} value
 */
function exact(value) {
  const text = shortest(value).replace(/^-0$/, '0');
  return Math.abs(value) < SMALL && text.length > MAX_PLAIN_LENGTH && !style.plain
    ? Number(text).toExponential().replace('e+', 'e')
    : text;
}

/**
 * @param {number} value
 * @param {number} decimals
 */
const fixed = (value, decimals) =>
  Math.abs(value) < LARGE
    ? value.toFixed(Math.min(100, decimals)).replace(/^-(0(\.0*)?)$/, '$1')
    : precise(value, USUAL_DIGITS);

/**
 * @param {number} value
 * @param {number} digits
 */
function precise(value, digits) {
  const size = Math.abs(value);
  if (size !== 0 && size < SMALL && style.plain) return value.toFixed(PLAIN_DECIMALS);
  if (size !== 0 && (size < SMALL || size >= LARGE)) return value.toExponential(digits - 1);
  return size >= 10 ** (digits - 1) ? value.toFixed(0) : value.toPrecision(digits);
}

/**
 * What one more of the last digit is worth.
 * @param {string} shown
 */
function unitOf(shown) {
  const [mantissa, exponent = '0'] = shown.split('e');
  const decimals = mantissa.split('.')[1]?.length ?? 0;
  return 10 ** (Number(exponent) - decimals);
}

/** With the signs of the language. @param {string} number as String() writes it */
export const inSigns = (number) =>
  number.replace('Infinity', '∞').replace('e+', 'e').replaceAll('-', '−').replace('.', style.point);

/** @type {Readonly<Record<string, string>>} */
const RAISED = { '−': '⁻', ...Object.fromEntries([...'⁰¹²³⁴⁵⁶⁷⁸⁹'].map((sign, i) => [i, sign])) };

/**
 * With a minus and the decimal mark of the language, and powers of ten as people write them, since e is a number
 * here: '−0,5', '3,7×10⁻⁵'.
 * @param {string} number as String() writes it
 */
export const numeral = (number) =>
  inSigns(number).replace(
    /e(.+)$/,
    (_, power) => `×10${[...power].map((sign) => RAISED[sign]).join('')}`,
  );

/**
 * A number with the digits that the reader chose. A small one of a lesson is less than its last digit, not zero.
 * @param {number} value
 * @param {As} [as]
 */
export function display(value, as) {
  const { shown } = rounded(value, as);
  const isLost = style.plain && value > 0 && Number(shown) === 0;
  return isLost ? `<\u202f${numeral(shown.replace(/0$/, '1'))}` : numeral(shown);
}

/** Draws numbers without powers of ten, as in a lesson; or with them, though it is one.
 * @template T @param {() => T} work @param {boolean} [plain] */
export const plainly = (work, plain = true) => withStyle({ ...style, plain }, work);

/**
 * All digits of a float32.
 * @param {number} value
 */
export const full = (value) => inSigns(shortest(value));

/**
 * A number beside what the text prints instead, with at least as many decimals.
 * @param {number} value
 * @param {string} printed
 */
export function beside(value, printed) {
  const shown = Number.isFinite(value) ? fixed(value, decimalsIn([printed]) ?? USUAL_DIGITS) : '';
  if (shown === '') return numeral(exact(value));
  return numeral(isMeant(Number(shown), value) ? exact(Number(shown)) : shown);
}

/** @param {(string | null)[]} printed */
const decimalsIn = (printed) =>
  Math.max(0, ...printed.map((text) => /\.(\d+)/.exec(text ?? '')?.[1].length ?? 0)) || undefined;

/** How many decimals the text prints of a node's numbers. */
const counted = memoized((/** @type {{ text: (string | null)[] }} */ { text }) => decimalsIn(text));

/**
 * How many decimals the text prints of the numbers of a node; undefined where it prints none.
 * @param {{ printed: Record<string, { text: (string | null)[] }> } | undefined} trace nothing for numbers that
 *   belong to none
 * @param {string} node
 */
export function decimalsOf(trace, node) {
  const source = trace?.printed[node];
  return source && counted(source);
}

/** px of the design: digits in cells are at least as high. */
const MIN_FONT = 12;
/** How high digits are, of their cell: on a slide they are what is read from afar. */
const SHARE = { page: 0.45, slide: 0.62 };
/** px of the design: narrower cells have digits nearer to their edges. */
const TIGHT_CELL = 36;
/** How wide what numbers are made of is, in heights, where faces are wide. */
const RAISED_WIDTH = 0.42;
const WIDTHS = {
  ...{ '.': 0.32, ',': 0.32, '−': 0.84, '∞': 0.84, '×': 0.84 },
  ...Object.fromEntries(Object.values(RAISED).map((sign) => [sign, RAISED_WIDTH])),
};
const DIGIT = 0.64;

/** @param {string} text */
function widthOf(text) {
  let sum = 0;
  for (const sign of text) sum += WIDTHS[/** @type {keyof typeof WIDTHS} */ (sign)] ?? DIGIT;
  return sum;
}

/** Cells like to have room for such a number. */
const USUAL = '−0.333';

/**
 * The numbers of a matrix as its cells show them: with the reader's digits, or as many of them as fit. All have as
 * many, but for those that are too small or large for that.
 * @param {number[]} values of the cells that are shown
 * @param {{ width: number, height: number }} size of a cell, px
 * @param {{ unit: number, decimals?: number, isSlide?: boolean, digit?: number }} how unit: px of one px of the design; digit:
 *   how wide a digit of the face is, in heights: all signs are so much narrower
 * @returns {{ write: (value: number) => string, font: number }} font: px
 */
export function inCells(
  values,
  { width, height },
  { unit, decimals, isSlide = false, digit = DIGIT },
) {
  const least = MIN_FONT * unit;
  /* Digits keep off the edges, and larger ones further; in the narrowest cells, what is left. */
  const [room, easy] = [width - (width < TIGHT_CELL * unit ? 2 : 4) * unit, width - 8 * unit];
  const wideOf = (/** @type {string} */ text) => (widthOf(text) * digit) / DIGIT;
  const fits = (/** @type {string} */ text) => wideOf(text) * font <= room;
  const limit = values.reduce((most, x) => Math.max(most, Number.isFinite(x) ? Math.abs(x) : 0), 0);
  let [most, widest] = [0, 0];
  /** How the values are written with so many more digits. @type {Map<number, string>} */
  const written = new Map();
  /** Whether one has room, in digits of the least height; with a power of ten it may have fewer digits than the others. */
  const hasRoom = (/** @type {number} */ value) => {
    const text = display(value, { decimals, more: most });
    written.set(value, text);
    /* Nor does one that is next to nothing beside the others take digits from them. */
    if (text.includes('×') || Math.abs(value) < limit / 100) return true;
    const wide = wideOf(text);
    widest = Math.max(widest, wide);
    return wide * least <= room;
  };
  do {
    widest = wideOf(USUAL);
    written.clear();
  } while (!values.every(hasRoom) && --most > -MAX_DIGITS);
  const font = Math.max(least, Math.min(height * SHARE[isSlide ? 'slide' : 'page'], easy / widest));
  return {
    font,
    write(value) {
      for (let more = most; more > -MAX_DIGITS; more--) {
        const usual = more === most && written.get(value);
        const text = usual || display(value, { decimals, more });
        /* Less than 0.01 would say no more than the numbers beside it: then it is zero, with as many decimals as they have. */
        if (more < most && text.startsWith('<')) break;
        if (fits(text)) return text;
      }
      const isSmall = Math.abs(value) < 1;
      const brief =
        (isSmall ? [...(style.plain ? [PLAIN_DECIMALS] : []), 2, 1] : [1, 0])
          .map((digits) => fixed(value, digits))
          .find((text) => fits(numeral(text))) ??
        (isSmall ? fixed(value, 1) : value.toExponential(0));
      return numeral(isMeant(Number(brief), value) ? exact(Number(brief)) : brief);
    },
  };
}

/**
 * Reads a number that someone typed into a cell, a fraction too; null when it is none that a float32 holds.
 * @param {string} text
 */
export function parseNumber(text) {
  const read = readNumber(text);
  if (!read || !('value' in read)) return null;
  const value = Math.fround(read.value);
  return Number.isFinite(value) || read.value === Number.NEGATIVE_INFINITY ? value : null;
}
