// Whether a printed number is right by its own last digit, and which small slip a wrong one is.

import { writtenLike } from '../read/number.js';

/** @typedef {import('../read/number.js').Cell} Cell */

/** float32 noise is far below this part of a unit, an error of one unit far above. */
const SLACK = 1e-4;

/** What float32 may lose of a number. */
const NOISE = 3e-7;

/** Rounded or cut off at its last digit, the number is the computed one.
 * @param {Cell} cell @param {number} computed */
export function isRight({ value, unit }, computed) {
  if (!Number.isFinite(value) || !Number.isFinite(computed)) return Object.is(value, computed);
  return Math.abs(value - computed) < Math.max(unit * (1 - SLACK), NOISE * Math.abs(computed));
}

/** Rounded, and not cut off: what numbers must be to tell where they come from. A whole number tells nothing of what
 * is not whole.
 * @param {Cell} cell @param {number} computed
 * @param {number} [band] how far the rounding of the numbers before may have carried it */
export function isClose({ value, unit }, computed, band = 0) {
  if (!Number.isFinite(value) || !Number.isFinite(computed)) return Object.is(value, computed);
  return (
    Math.abs(value - computed) <=
    (unit >= 1 ? 1e-4 * Math.min(1, Math.abs(computed)) : 0.51 * unit) +
      band +
      Math.abs(computed) * 1e-6
  );
}

/** @typedef {'slip:sign' | 'slip:digits' | 'slip:point' | 'slip'} SlipCause */

/** @param {Cell} cell @param {number} computed @param {import('../read/number.js').Notation} notation
 * @returns {SlipCause} */
export function slipOf(cell, computed, notation) {
  if (isRight(cell, -computed)) return 'slip:sign';
  const digits = cell.text.replace(/\D/g, '');
  const wanted = writtenLike(cell.text, computed, notation).replace(/\D/g, '');
  const exchanged = [...wanted].some(
    (_, i) =>
      wanted.slice(0, i) + (wanted[i + 1] ?? '') + wanted[i] + wanted.slice(i + 2) === digits,
  );
  if (exchanged) return 'slip:digits';
  const isMoved = [0.01, 0.1, 10, 100].some((factor) => isRight(cell, computed * factor));
  return computed && isMoved ? 'slip:point' : 'slip';
}
