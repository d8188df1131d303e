// Sums and means in float64, from the first number to the last.

/** An array or a typed array.
 * @typedef {{ readonly length: number, reduce(add: (sum: number, x: number) => number, start: number): number }} Numbers */

/** @param {Numbers} numbers */
export const sumOf = (numbers) => numbers.reduce((sum, x) => sum + x, 0);

/** @param {Numbers} numbers */
export const meanOf = (numbers) => sumOf(numbers) / numbers.length;
