// What float32 rounded on the way to a number.

/** What a few roundings to float32 do to a number: 0.3 times 3 is 0.90000004. */
const NOISE = 2 ** -22;

/** Whether a number is a shorter decimal, but for that.
 * @param {number} decimal @param {number} value */
export const isMeant = (decimal, value) =>
  Math.fround(decimal) === value || Math.abs(decimal - value) <= NOISE * Math.abs(value);
