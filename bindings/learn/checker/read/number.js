// How a text writes its numbers: with a point or a comma, with which minus, in powers of ten.

import { isPrinted, verdictOf } from '../../../js/number/judge.js';

/** A number as the text prints it.
 * @typedef {object} Cell
 * @property {string} text with its sign
 * @property {number} value
 * @property {number} unit one in its last digit
 * @property {number} start where it begins in the text, as JavaScript counts, from 0
 * @property {number} exact what it should be: computed from the numbers that the text gives
 * @property {Cell} [repeats] the result that it repeats
 * @property {boolean} [divided] whether it comes from an equation of which two sides disagree
 * @property {boolean} [vague] whether what it should be comes from numbers that may be rounded
 * @property {number} [grouped] the value if its mark separates thousands, or decimals, other than the text at large
 * @property {number} [band] how far what it should be may be off
 * @property {number} [flag] the number of its flag, from 1 */

/** @typedef {{ comma: boolean, minus: string }} Notation comma: before decimals, where others have a point */

/** Numbers where a comma, or a point, can only stand before decimals. */
const BY_COMMA = new RegExp(
  [
    String.raw`[=≈+×·*/|&]\s{0,8}[-−]?(?:0,\d{1,20}|\d{1,20},(?!\d{3}(?!\d))\d{1,20})(?![\d,.])`,
    String.raw`\d,\d{2,20}\s{0,3}[;&]`,
    String.raw`\d\{,\}(?!\d{3}(?!\d))\d|(?<!\d)0\{,\}\d`,
    /* A function of one number; columns of numbers. */
    String.raw`(?:ln|log|exp|sqrt|sin|cos|tanh|√|sqrt\{)[ (]{0,2}[-−]?\d{1,20},\d{1,20}(?=[)}\s])`,
    String.raw`(?<![\d,(\[])[-−]?(?:0,\d{1,20}|\d{1,20},\d{1,2})(?=[ \t]{2,20}[-−]?\d{1,20},\d)`,
    String.raw`(?<=^|\s)0,\d{1,20}\s{0,3}[-+−·×*/=≈:]`,
    String.raw`(?<![\d.,])\d{1,3}(?:\.\d{3}){2,6}(?![\d.])|(?<![\d.,])\d{1,3}\.\d{3},\d`,
  ].join('|'),
  'g',
);
/** Three decimals may be a group of thousands. */
const BY_POINT = /[=≈+×·*/|&[(,]\s{0,8}[-−]?(?:0?\.\d|\d{1,20}\.(?!\d{3}(?!\d))\d)/g;

const countOf = (/** @type {string} */ text, /** @type {RegExp} */ pattern) =>
  text.match(pattern)?.length ?? 0;

/** @param {string} text
 * @returns {Notation} */
export const notationOf = (text) => ({
  comma: countOf(text, BY_COMMA) > countOf(text, BY_POINT),
  minus: countOf(text, /−\d/g) > countOf(text, /-\d/g) ? '−' : '-',
});

const ENDLESS = /∞|inf|âˆž/i;
const SIGN = /^(?:[-−–]|&minus;)\s*/;
const MANTISSA = /^(?:[\d.,'’\u00a0\u2009\u202f]|\{,\}|\\,(?=\d{3}))*[\d.]/;
const POINT = /\./;
const COMMA = /\{,\}|,/;
/** What separates thousands where a point, or a comma, stands before decimals. */
const GROUP = {
  point: /\{,\}|\\,|[,'’\u00a0\u2009\u202f]/,
  comma: /\.|\\,|['’\u00a0\u2009\u202f]/,
};
/** Groups of thousands by points; any other point stands before decimals. */
const BY_GROUPS = /^\d{1,3}(?:\.\d{3})+(?:(?:,|\{,\})\d+)?$/;
/** A number that may have one group of thousands, or three decimals. */
const AMBIGUOUS = /^\D*?([1-9]\d{0,2})[.,](\d{3})$/;
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** The power of ten behind a mantissa: e-3, × 10^{-3}, ·10⁻³, %. @param {string} suffix */
function powerOf(suffix) {
  if (/%$/.test(suffix)) return -2;
  const isLetter = /^e/i.test(suffix);
  const digits = (isLetter ? suffix : suffix.slice(suffix.indexOf('10') + 2))
    .replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹]/g, (digit) => String(SUPERSCRIPTS.indexOf(digit)))
    .replace(/[−⁻]/g, '-');
  return Number(/-?\d+/.exec(digits)?.[0] ?? 0);
}

/** The parts of a printed number: 1,048.50e3 is 1,048 and 50 and e3, in groups after a comma.
 * @param {string} text @param {boolean} comma */
function partsOf(text, comma) {
  const sign = SIGN.exec(text)?.[0] ?? '';
  const unsigned = text.slice(sign.length).replace(/^10(?=[⁻⁰¹²³⁴⁵⁶⁷⁸⁹])/, '1·10');
  const mantissa = MANTISSA.exec(unsigned)?.[0] ?? '';
  const suffix = unsigned.slice(mantissa.length);
  const byComma = comma && (!POINT.test(mantissa) || BY_GROUPS.test(mantissa));
  const point = (byComma ? COMMA : POINT).exec(mantissa)?.[0] ?? '';
  const [whole, decimals = ''] = point ? mantissa.split(point) : [mantissa];
  const group = GROUP[byComma ? 'comma' : 'point'].exec(whole)?.[0] ?? '';
  return { sign, whole, point, decimals, group, suffix, power: suffix ? powerOf(suffix) : 0 };
}

/** What a number is, and how much one in its last digit.
 * @param {string} text with its sign @param {boolean} comma
 * @returns {{ value: number, unit: number }} */
export function readNumber(text, comma) {
  const { sign, whole, decimals, group, power } = partsOf(text, comma);
  if (/nan/i.test(text)) return { value: Number.NaN, unit: 0 };
  if (ENDLESS.test(text)) return { value: sign ? -Infinity : Infinity, unit: 0 };
  const digits = `${group ? whole.replaceAll(group, '') : whole}.${decimals}`;
  return {
    value: Number(`${sign && '-'}${digits}e${power}`),
    unit: 10 ** (power - decimals.length),
  };
}

/** Whether a printed number is a computed one, by what its notation may mean: 2.048 is 2048 in German, and 75% is 75 where
 * the computation takes parts of a hundred.
 * @param {Cell} cell @param {number} computed */
export const isWritten = (cell, computed) =>
  readingsOf(cell).some((printed) => isPrinted(printed, computed));

/** The best verdict on a printed number, by what its notation may mean.
 * @param {Cell} cell @param {number} exact what follows from what the text starts with
 * @param {readonly number[]} working what follows from the numbers that the text prints in this equation
 * @returns {import('../../../js/number/judge.js').Verdict} */
export function verdictIn(cell, exact, working) {
  const verdicts = readingsOf(cell).map((printed) => verdictOf(printed, exact, working));
  return VERDICTS.find((verdict) => verdicts.includes(verdict)) ?? 'wrong';
}

/** From the best. */
const VERDICTS = /** @type {const} */ (['rounded', 'working', 'truncated']);

/** @param {Cell} cell @returns {import('../../../js/number/judge.js').Printed[]} */
function readingsOf({ text, value, unit, grouped }) {
  const usual = { value, unit };
  /* 512² is about 262,000. */
  if (unit === 1 && /\D000$/.test(text)) return [usual, { value, unit: 1000 }];
  if (grouped !== undefined)
    return [usual, { value: grouped, unit: Number.isInteger(value) ? unit / 1000 : 1 }];
  return text.endsWith('%') ? [usual, { value: 100 * value, unit: 100 * unit }] : [usual];
}

/** @param {string} text @param {number} start @param {boolean} comma
 * @returns {Cell} */
export function cellOf(text, start, comma) {
  const { value, unit } = readNumber(text, comma);
  const isOther = AMBIGUOUS.exec(text);
  const factor = Number.isInteger(value) ? 1 / 1000 : 1000;
  const grouped = isOther && Math.round(value * factor * 1000) / 1000;
  return { text, value, unit, start, exact: value, ...(grouped !== null && { grouped }) };
}

/** The most decimals, and the point before them, that a number of its row has, where the number needs more than its own: 0.5
 * of 0.17, 0.33, 0.5 becomes 0.67.
 * @param {ReturnType<typeof partsOf>} parts of the number @param {number} value @param {readonly Cell[]} row @param {boolean} comma */
function finestOf(parts, value, row, comma) {
  const { decimals, point, suffix } = row
    .map(({ text }) => partsOf(text, comma))
    .reduce((most, one) => (one.decimals.length > most.decimals.length ? one : most), parts);
  const [few, many] = [parts.decimals, decimals].map(({ length }) =>
    Number(value.toFixed(Math.min(length, 20))),
  );
  return parts.suffix || suffix || few === many ? parts : { decimals, point };
}

/** A number in the digits and the notation of a printed one and its row, as far as they are certain.
 * @param {string} text the printed one @param {number} value @param {Notation} notation @param {number} [band] how far it may be off
 * @param {readonly Cell[]} [row] where it stands */
export function writtenLike(text, value, { comma, minus }, band = 0, row = []) {
  const parts = partsOf(text, comma);
  const { sign, whole, group, suffix, power } = parts;
  const negative = sign || minus;
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value < 0 ? `${negative}∞` : '∞';
  /* In place of ∞ or NaN, four digits. */
  if (!whole && !parts.decimals) return `${Number(value.toPrecision(4))}`.replace('-', minus);
  const { decimals, point } = finestOf(parts, value, row, comma);
  const count = decimalsOf(value / 10 ** power, decimals.length, band / 10 ** power);
  const digits = Math.abs(value / 10 ** power).toFixed(Math.min(count, 20));
  const [units, rest] = digits.split('.');
  const grouped = group ? units.replace(/\B(?=(?:\d{3})+$)/g, group) : units;
  const isNegative = value < 0 && Number(digits) !== 0;
  return `${isNegative ? negative : ''}${grouped}${rest ? point + rest : ''}${suffix}`;
}

/** How many decimals of a number are certain. @param {number} value @param {number} most @param {number} band */
function decimalsOf(value, most, band) {
  let count = most;
  while (count > 0 && (value - band).toFixed(count) !== (value + band).toFixed(count)) count--;
  return count;
}
