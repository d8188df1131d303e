// How a number may be displayed, in exact arithmetic: whole numbers of any size, and none of the page's functions.

/**
 * A float64 as a fraction of whole numbers.
 * @param {number} x
 * @returns {[bigint, bigint]}
 */
function fraction(x) {
  let [above, below] = [x, 0];
  while (!Number.isInteger(above)) {
    above *= 2;
    below++;
  }
  return [BigInt(above), 2n ** BigInt(below)];
}

/**
 * The multiple of 10^place that is nearest to x; half of it goes away from zero.
 * @param {number} x
 * @param {number} place
 */
export function nearest(x, place) {
  const [above, below] = fraction(Math.abs(x));
  const scale = 10n ** BigInt(Math.abs(place));
  const [n, d] = place < 0 ? [above * scale, below] : [above, below * scale];
  const multiple = (2n * n + d) / (2n * d);
  return x < 0 ? -multiple : multiple;
}

/**
 * What a text writes: so many times 10^place, in so many significant digits; null if it is no number of the page.
 * @param {string} text
 * @param {'.' | ','} [point]
 */
export function written(text, point = '.') {
  const plain = text.replace(
    /×10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)$/,
    (_, power) =>
      `e${[...power].map((sign) => '−0123456789'['⁻⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(sign)]).join('')}`,
  );
  const [, minus, whole, decimals = '', exponent = '0'] =
    /^(−?)(\d+)(?:[.,](\d+))?(?:e(−?\d+))?$/.exec(plain) ?? [];
  if (whole === undefined || (/[.,]/.exec(text)?.[0] ?? point) !== point) return null;
  const digits = (whole + decimals).replace(/^0+/, '');
  return {
    multiple: BigInt(whole + decimals) * (minus ? -1n : 1n),
    place: Number(exponent.replace('−', '-')) - decimals.length,
    digits: digits.length,
    value: Number(`${minus ? '-' : ''}${whole}.${decimals}e${exponent.replace('−', '-')}`),
  };
}

/** Whether a decimal is a float32, or as near to it as a few roundings of that take it: 0.3 times 3 is no 0.9.
 * @param {number} decimal @param {number} x */
export const isNear = (decimal, x) =>
  Math.fround(decimal) === x || Math.abs(decimal - x) * 4_194_304 <= Math.abs(x);

/**
 * Whether a text is a float32 rounded, or the float32 itself; of the latter it ends without zeros.
 * @param {string} text
 * @param {number} x
 * @param {{ point?: '.' | ',', least?: number }} [how] least: significant digits of a number that is rounded, unless
 *   all before the point are shown
 */
export function displays(text, x, { point = '.', least = 0 } = {}) {
  if (!Number.isFinite(x)) return text === String(x).replace('Infinity', '∞').replace('-', '−');
  const read = written(text, point);
  if (!read) return false;
  if (isNear(read.value, x)) return !/[.,]\d*0(e|×|$)/.test(text);
  return read.multiple === nearest(x, read.place) && (read.digits >= least || read.place === 0);
}

/** Whether a text says that a share is less than its last digit: < 0.0001 of what would be 0.0000.
 * @param {string} text @param {number} x */
export function displaysLess(text, x) {
  const read = written(text.replace(/^<\s?/, ''));
  return read !== null && read.multiple === 1n && x > 0 && nearest(x, read.place) === 0n;
}

/**
 * The number that a tooltip tells in full.
 * @param {string} title 'scores[0,1] = −0.33333334', or the number alone
 */
export const inFull = (title) =>
  Math.fround(
    Number(
      title
        .replace(/^.* = /, '')
        .replaceAll('−', '-')
        .replace('∞', 'Infinity'),
    ),
  );
