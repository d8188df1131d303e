// Small slips: which one is behind a wrong printed number, and what they make of a right one.

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

/** What becomes of a number by one slip: another digit, two exchanged, a sign. @param {string} text
 * @returns {string[]} */
export function slipsOf(text) {
  const digits = [...text.matchAll(/\d/g)].map(({ index }) => index);
  const put = (/** @type {number} */ at, /** @type {string | number} */ digit, from = text) =>
    from.slice(0, at) + digit + from.slice(at + 1);
  const others = digits.flatMap((place) =>
    Array.from({ length: 10 }, (_, digit) => put(place, digit)),
  );
  const exchanged = digits
    .slice(1)
    .map((place, k) => put(place, text[digits[k]], put(digits[k], text[place])));
  const sign = /^[-−–]/.test(text) ? [text.slice(1)] : [`-${text}`, `−${text}`];
  return [...new Set([...others, ...exchanged, ...sign])].filter((one) => one !== text);
}
