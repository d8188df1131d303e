// Judges whether a number is right. This file has every tolerance of exercises, lessons, printed numbers and the checker;
// the Python marker's are in bindings/python/glassformer/_number.py and at the head of _marking.py. How many points an answer
// gets is in exercises/marking/states.js.

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
  /** Units: a number that is rounded or cut off. An error of one unit is an error. */
  printed: 0.9999,
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

/** Whether a printed number is a computed one, rounded or cut off at its last digit.
 * @param {{ value: number, unit: number }} printed unit: what one in its last digit is worth
 * @param {number} computed */
export const isPrinted = ({ value, unit }, computed) =>
  Number.isFinite(value) && Number.isFinite(computed)
    ? Math.abs(value - computed) <
      Math.max(unit * TOLERANCE.printed, TOLERANCE.float32 * Math.abs(computed))
    : Object.is(value, computed);

/** Whether a printed number is a computed one, rounded, so that the computation may be where it comes from. A whole number
 * says nothing about a number with decimals.
 * @param {{ value: number, unit: number }} printed @param {number} computed
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
