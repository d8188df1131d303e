// A decimal number as people write it: 1.33, 1,33, 1 480,5, 1'480.5, 1.480.000, 1.2e-3.

/** White space between the digits and signs of a number. The Python reader has the same list. */
export const BLANK = /[\t\n\r \u00a0\u2000-\u200a\u202f\u205f\u3000\ufeff]/;
/** Hyphens, dashes and minus signs that people type for a minus. */
export const MINUS = /[-‐‑‒–—―−﹣]/;

/** Groups of three digits behind a blank or an apostrophe: 1 480, 1'480,5. */
const SPACED =
  /^(\d{1,3}(?:([\u00a0\u2000-\u200a\u202f '’])\d{3})(?:\2\d{3})*)(?!\d)(?:[.,](\d*))?/;
/** Groups of three digits where the other mark, or a second group, shows that they are groups: 1,480.5, 1.480.000. */
const GROUPED =
  /^(\d{1,3}(?:(?:,\d{3})+(?=\.\d)|(?:\.\d{3})+(?=,\d)|(?:,\d{3}){2,}(?![\d,])|(?:\.\d{3}){2,}(?![\d.])))(?:[.,](\d*))?/;
const PLAIN = /^(\d+)(?:[.,](\d*))?|^()[.,](\d+)/;
const EXPONENT = /^e([-+‐‑‒–—―−﹣]?)(\d{1,3})(?!\d)/;
/** A number that is either a decimal or a whole number in groups: 1,480 and 1.480. */
const AMBIGUOUS = /^[1-9]\d{0,2}[.,]\d{3}$/;

/**
 * @typedef {object} Decimal
 * @property {number} length how many characters of the text belong to it
 * @property {string} whole the digits before the decimal mark
 * @property {string} fraction the digits behind it
 * @property {number} exponent the power of ten that follows, 0 if there is none
 * @property {boolean} isAmbiguous whether its mark may separate a group of thousands: 1,480
 */

/** The decimal number without a sign that a text begins with; null if it does not begin with one.
 * @param {string} text in lower case
 * @returns {Decimal | null} */
export function readDecimal(text) {
  const match = SPACED.exec(text) ?? GROUPED.exec(text) ?? PLAIN.exec(text);
  if (!match) return null;
  const [digits, whole, ...rest] = match;
  const fraction = rest.findLast((part) => /^\d/.test(part ?? '')) ?? '';
  const exponent = EXPONENT.exec(text.slice(digits.length));
  return {
    length: digits.length + (exponent?.[0].length ?? 0),
    whole: (whole ?? '').replace(/\D/g, ''),
    fraction,
    exponent: exponent ? Number(`${signOf(exponent[1])}${exponent[2]}`) : 0,
    isAmbiguous: !exponent && AMBIGUOUS.test(digits),
  };
}

/** @param {string} sign */
const signOf = (sign) => (MINUS.test(sign) ? '-' : '');

/** @param {Pick<Decimal, 'whole' | 'fraction'>} decimal @param {number} power of ten */
export const decimalValue = ({ whole, fraction }, power) =>
  Number(`${whole || '0'}.${fraction || '0'}e${power}`);
