// Judges whether a number is right. This file has the tolerances that exercises, lessons, printed numbers and the checker share;
// the Python marker's are in bindings/python/glassformer/_number.py and at the head of _working.py. How many points an answer
// gets is in exercises/marking/learner.js.

/** Units are those of the last digit; parts are relative to the number, and absolute below 1. */
export const TOLERANCE = /** @type {const} */ ({
  /** Parts: what float32 does to a number in a few operations. */
  float32: 4e-7,
  /** Parts: what it does to a number that two ways of several steps compute. */
  float32Ways: 1.6e-6,
  /** Parts of any number: what it does in two or three operations, 0.90000004 for 0.3 times 3. */
  float32Display: 2 ** -22,
  /** Parts: a whole number that stands for a number with decimals. */
  whole: 1e-4,
  /** Parts of any number: how far a number may be off whose operands were rounded too early. */
  early: 0.05,
  /** Units: a rounded number. */
  rounded: 0.5,
  /** Units: what is cut off. One unit less than a number that is exact at this digit is an error. */
  truncated: 0.9999,
  /** Units: a number whose steps before were rounded, too. */
  rounding: 1.001,
});

/** @param {number} value */
const scaleOf = (value) => Math.max(1, Math.abs(value));

/** Whether a number is another one within a band, but for what float32 does.
 * @param {number} answer @param {number} value @param {number} band
 * @param {number} [float32] parts */
export const agrees = (answer, value, band, float32 = TOLERANCE.float32) =>
  Number.isFinite(answer) && Number.isFinite(value)
    ? Math.abs(answer - value) <= band + float32 * scaleOf(value)
    : Object.is(answer, value);

/** Whether two programs compute the same number. @param {number} a @param {number} b */
export const isSame = (a, b) => agrees(a, b, 0, TOLERANCE.float32Ways);

/** Whether an answer is a number to so many decimals. Nothing is near zero but zero.
 * @param {number} answer @param {number} value @param {number} decimals
 * @param {number} [units] of the last decimal that it may be off */
export const isNear = (answer, value, decimals, units = TOLERANCE.rounded) =>
  value === 0 ? answer === 0 : agrees(answer, value, units / 10 ** decimals);

/** What a learner means where the right number is `value`: 1,480 is 1480 where that is a whole number of four digits.
 * @param {import('./read.js').NumberRead} read @param {number} value */
export const meantBy = ({ value: answer, grouped }, value) =>
  grouped !== undefined && Number.isInteger(value) && Math.abs(value) >= 1000 ? grouped : answer;

/** What a learner means who counts: 1,480 is 1480. Of 1,000 only the language says which of 1 and 1000 it is.
 * @param {import('./read.js').NumberRead} read @param {string} text @param {string} decimal sign of the language */
export const countedBy = ({ value: answer, grouped }, text, decimal) =>
  grouped === undefined || (Number.isInteger(answer) && text.includes(decimal)) ? answer : grouped;

/** What a text prints: a number, and what one in its last digit is worth. @typedef {{ value: number, unit: number }} Printed */

/** Whether a number lies exactly halfway between two printed ones. Then its binary digits end where its decimals do.
 * @param {number} value @param {number} unit one in the last printed digit */
function isHalfway(value, unit) {
  const decimals = Math.round(-Math.log10(unit));
  const halves = decimals < 0 ? (2 * value) / 10 ** -decimals : value * 2 ** (decimals + 1);
  return Math.abs(halves % 2) === 1;
}

/** Whether a printed number is halfway to a computed one, and below it as no rule rounds: 0.7 for 0.75. Only an even digit may
 * stand there: 0.2 for 0.25. A half that float32 or decimals only come close to goes either way.
 * @param {Printed} printed @param {number} computed */
const isHalfCut = ({ value, unit }, computed) =>
  Math.abs(value) < Math.abs(computed) &&
  isHalfway(computed, unit) &&
  Math.round(value / unit) % 2 !== 0;

/** What a printed number is of a computed one at its last digit: rounded, or truncated towards zero; null if neither. Half a
 * unit is rounded up, or to the even digit. Only float32 widens this, by a part of the number itself.
 * @param {Printed} printed @param {number} computed
 * @returns {'rounded' | 'truncated' | null} */
export function printedAs({ value, unit }, computed) {
  if (!Number.isFinite(value) || !Number.isFinite(computed))
    return Object.is(value, computed) ? 'rounded' : null;
  const float32 = TOLERANCE.float32 * Math.abs(computed);
  if (Math.abs(value - computed) <= TOLERANCE.rounded * unit + float32)
    return isHalfCut({ value, unit }, computed) ? 'truncated' : 'rounded';
  const rest = Math.sign(computed) * (computed - value);
  return value * computed >= 0 && rest > 0 && rest + float32 < TOLERANCE.truncated * unit
    ? 'truncated'
    : null;
}

/** Whether a printed number is a computed one, rounded or truncated at its last digit.
 * @param {Printed} printed @param {number} computed */
export const isPrinted = (printed, computed) => printedAs(printed, computed) !== null;

/** The verdict on a printed number. Results are compared with the exact number alone; an equation in the working may also
 * hold for the rounded numbers that the text prints in it: exp(1.05) = 2.86.
 * @typedef {'rounded' | 'working' | 'truncated' | 'wrong'} Verdict rounded: of the exact number; working: of what follows
 *   from the text's own printed numbers; truncated: cut off, not rounded */

/** Judges a printed number.
 * @param {Printed} printed
 * @param {number} exact what follows from what the text starts with
 * @param {readonly number[]} [working] what follows from the numbers that the text prints in this equation
 * @returns {Verdict} */
export function verdictOf(printed, exact, working = []) {
  const ways = [exact, ...working].map((value) => printedAs(printed, value));
  if (ways[0] === 'rounded') return 'rounded';
  if (ways.includes('rounded')) return 'working';
  return ways.includes('truncated') ? 'truncated' : 'wrong';
}

/** Whether a printed number is a computed one, rounded, so that the computation may be where it comes from. A whole number
 * says nothing about a number with decimals.
 * @param {Printed} printed @param {number} computed
 * @param {number} [band] how far the rounding of the numbers before may have carried it */
export const isRounded = ({ value, unit }, computed, band = 0) =>
  agrees(
    value,
    computed,
    band +
      (unit >= 1 ? TOLERANCE.whole * Math.min(1, Math.abs(computed)) : TOLERANCE.rounded * unit),
  );

/** Whether a number is a shorter decimal, but for what float32 does. @param {number} decimal @param {number} value */
export const isMeant = (decimal, value) =>
  Math.fround(decimal) === value ||
  Math.abs(decimal - value) <= TOLERANCE.float32Display * Math.abs(value);
