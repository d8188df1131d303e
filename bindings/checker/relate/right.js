// Whether a printed number is right by its own last digit, and which small slip a wrong one is.

/** float32 noise is far below this part of a unit, an error of one unit far above. */
const SLACK = 1e-4;

/** What float32 may lose of a number. */
const NOISE = 3e-7;

/** One in the last digit of a number. @param {string} text */
export function unitOf(text) {
  const decimals = /\.(\d+)/.exec(text)?.[1].length ?? 0;
  const exponent = Number(/e([-+]?\d+)/i.exec(text)?.[1] ?? 0);
  return 10 ** (exponent - decimals);
}

/** Rounded or cut off at its last digit, the number is the computed one.
 * @param {string} text @param {number} value as it is read @param {number} computed */
export function isRight(text, value, computed) {
  if (!Number.isFinite(value) || !Number.isFinite(computed)) return value === computed;
  return (
    Math.abs(value - computed) < Math.max(unitOf(text) * (1 - SLACK), NOISE * Math.abs(computed))
  );
}

/** Rounded, and not cut off: what numbers must be to tell where they come from. A whole number tells nothing of what
 * is not whole.
 * @param {string} text @param {number} value @param {number} computed
 * @param {number} [band] how far the rounding of the numbers before may have carried it */
export function isClose(text, value, computed, band = 0) {
  if (!Number.isFinite(value) || !Number.isFinite(computed)) return value === computed;
  const unit = unitOf(text);
  return (
    Math.abs(value - computed) <=
    (unit >= 1 ? 1e-4 : 0.51 * unit) + band + Math.abs(computed) * 1e-6
  );
}

/** @typedef {'slip:sign' | 'slip:digits' | 'slip:point' | 'slip'} SlipCause */

/** @param {string} text @param {number} value @param {number} computed
 * @returns {SlipCause} */
export function slipOf(text, value, computed) {
  const is = (/** @type {number} */ x) => isRight(text, value, x);
  if (is(-computed)) return 'slip:sign';
  const digits = text.replace(/\D/g, '');
  const wanted = roundedLike(text, computed).replace(/\D/g, '');
  const exchanged = [...wanted].some(
    (_, i) =>
      wanted.slice(0, i) + (wanted[i + 1] ?? '') + wanted[i] + wanted.slice(i + 2) === digits,
  );
  if (exchanged) return 'slip:digits';
  if (computed && [0.01, 0.1, 10, 100].some((factor) => is(computed * factor))) return 'slip:point';
  return 'slip';
}

/** A number with as many decimals as a printed one. @param {string} text @param {number} value */
export function roundedLike(text, value) {
  const unit = unitOf(text);
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '-∞';
  const decimals = Math.max(0, Math.round(-Math.log10(unit)));
  const rounded = value.toFixed(Math.min(decimals, 20));
  return Number(rounded) === 0 ? rounded.replace('-', '') : rounded;
}
