// Names the small slip behind a wrong printed number.

import { isPrinted } from '../../js/number/judge.js';
import { writtenLike } from './read/number.js';

/** @typedef {import('./read/number.js').Cell} Cell */

/** @typedef {'slip:sign' | 'slip:digits' | 'slip:point' | 'slip'} SlipCause */

/** @param {Cell} cell @param {number} computed @param {import('./read/number.js').Notation} notation
 * @returns {SlipCause} */
export function slipOf(cell, computed, notation) {
  if (isPrinted(cell, -computed)) return 'slip:sign';
  const digits = cell.text.replace(/\D/g, '');
  const wanted = writtenLike(cell.text, computed, notation).replace(/\D/g, '');
  const exchanged = [...wanted].some(
    (_, i) =>
      wanted.slice(0, i) + (wanted[i + 1] ?? '') + wanted[i] + wanted.slice(i + 2) === digits,
  );
  if (exchanged) return 'slip:digits';
  const isMoved = [0.01, 0.1, 10, 100].some((factor) => isPrinted(cell, computed * factor));
  return computed && isMoved ? 'slip:point' : 'slip';
}
