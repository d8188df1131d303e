// Numbers as text: what a cell shows, and the full float32 behind it.

/**
 * The shortest decimal that reads back as the same float32: '0.1' rather than '0.10000000149011612'.
 * @param {number} value rounded to float32 if it is none
 */
export function shortest(value) {
  const single = Math.fround(value);
  if (!Number.isFinite(single)) return String(single);
  if (Object.is(single, -0)) return '-0';
  for (let digits = 1; digits < 9; digits++) {
    const text = String(Number(single.toPrecision(digits)));
    if (Math.fround(Number(text)) === single) return text;
  }
  return String(Number(single.toPrecision(9)));
}

/**
 * At least four significant digits; those shown are the number's own (cut off, never rounded up),
 * and an ellipsis says that more follow.
 * @param {number} value
 */
export function display(value, digits = 4) {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  const [mantissa, exponent] = String(Number(shortest(value))).split('e');
  const end = cutAfter(mantissa, digits);
  if (end === mantissa.length) return exponent === undefined ? mantissa : `${mantissa}e${exponent}`;
  return `${mantissa.slice(0, end)}…${exponent === undefined ? '' : `e${exponent}`}`;
}

/**
 * Where `digits` significant digits end, but never before the decimal point.
 * @param {string} mantissa
 * @param {number} digits
 */
function cutAfter(mantissa, digits) {
  const point = mantissa.indexOf('.');
  if (point < 0) return mantissa.length;
  let seen = 0;
  for (let i = 0; i < mantissa.length; i++) {
    if (/[1-9]/.test(mantissa[i]) || (seen > 0 && mantissa[i] === '0')) seen++;
    if (seen >= digits && i + 1 >= point) return i + 1 === point ? point : i + 1;
  }
  return mantissa.length;
}

/**
 * Two digits for a narrow cell: '.33', '-1.2', '12'.
 * @param {number} value
 */
export function abbreviate(value) {
  if (!Number.isFinite(value)) return display(value);
  const size = Math.abs(value);
  if (size !== 0 && (size < 0.005 || size >= 1000))
    return value.toExponential(0).replace('e+', 'e');
  const text = String(Number(size >= 10 ? value.toFixed(0) : value.toFixed(size >= 1 ? 1 : 2)));
  return text.replace(/^(-?)0\./, '$1.');
}

/**
 * Reads a number that someone typed; null when it is none that a float32 holds.
 * @param {string} text
 */
export function parseNumber(text) {
  const plain = text
    .trim()
    .replace('−', '-')
    .replace(/^(-?\d+),(\d+)$/, '$1.$2');
  if (/^-inf(inity)?$/i.test(plain)) return Number.NEGATIVE_INFINITY;
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return null;
  const value = Math.fround(Number(plain));
  return Number.isFinite(value) ? value : null;
}
