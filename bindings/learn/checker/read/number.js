// How a text writes its numbers: with a point or a comma, with which minus, in powers of ten.

/** A number as the text prints it.
 * @typedef {object} Cell
 * @property {string} text with its sign
 * @property {number} value
 * @property {number} unit one in its last digit
 * @property {number} start where it begins in the text, as JavaScript counts, from 0
 * @property {number} exact what it should be: computed from the numbers that the text gives
 * @property {number} [flag] the number of its flag, from 1 */

/** @typedef {{ comma: boolean, minus: string }} Notation comma: before decimals, where others have a point */

/** Numbers where a comma, or a point, can only stand before decimals. */
const BY_COMMA = new RegExp(
  [
    String.raw`[=≈+×·*/|&]\s{0,8}[-−]?(?:0,\d{1,20}|\d{1,20},(?!\d{3}(?!\d))\d{1,20})(?![\d,.])`,
    String.raw`\d,\d{2,20}\s{0,3}[;&]`,
    String.raw`\d\{,\}(?!\d{3}(?!\d))\d`,
  ].join('|'),
  'g',
);
const BY_POINT = /[=≈+×·*/|&[(,]\s{0,8}[-−]?\d{0,20}\.\d/g;

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
const MANTISSA = /^[\d.,{}]*[\d.]/;
const POINT = /\./;
const COMMA = /\{,\}|,/;
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** The power of ten behind a mantissa: e-3, × 10^{-3}, ·10⁻³. @param {string} suffix */
function powerOf(suffix) {
  if (!suffix) return 0;
  const digits = suffix
    .replace(/^[^e]*?10/i, '')
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
  const point = (comma ? COMMA : POINT).exec(mantissa)?.[0] ?? '';
  const [whole, decimals = ''] = point ? mantissa.split(point) : [mantissa];
  const group = comma ? '' : (COMMA.exec(whole)?.[0] ?? '');
  return { sign, whole, point, decimals, group, suffix, power: powerOf(suffix) };
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

/** @param {string} text @param {number} start @param {boolean} comma
 * @returns {Cell} */
export function cellOf(text, start, comma) {
  const { value, unit } = readNumber(text, comma);
  return { text, value, unit, start, exact: value };
}

/** A number in the digits and the notation of a printed one.
 * @param {string} text the printed one @param {number} value @param {Notation} notation */
export function writtenLike(text, value, { comma, minus }) {
  const { sign, whole, point, decimals, group, suffix, power } = partsOf(text, comma);
  const negative = sign || minus;
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value < 0 ? `${negative}∞` : '∞';
  /* In place of ∞ or NaN, four digits. */
  if (!whole && !decimals) return `${Number(value.toPrecision(4))}`.replace('-', minus);
  const digits = Math.abs(value / 10 ** power).toFixed(Math.min(decimals.length, 20));
  const [units, rest] = digits.split('.');
  const grouped = group ? units.replace(/\B(?=(?:\d{3})+$)/g, group) : units;
  const isNegative = value < 0 && Number(digits) !== 0;
  return `${isNegative ? negative : ''}${grouped}${rest ? point + rest : ''}${suffix}`;
}
