// Value by fill: one diverging scale for signed tensors, one sequential scale for probabilities.

import { rgbOf, SCALES } from '../../../bindings/js/base/palette.js';

/** @typedef {[number, number, number]} Rgb */

/** @param {Record<Scale, string[]>} scales @returns {Record<Scale, Rgb[]>} */
const parsed = ({ signed, probability }) => ({
  signed: signed.map(rgbOf),
  probability: probability.map(rgbOf),
});

const ANCHORS = { light: parsed(SCALES.light), dark: parsed(SCALES.dark) };

/** @typedef {'signed' | 'probability'} Scale */
/** @typedef {'light' | 'dark'} Theme */

/**
 * The fill of a value; the domain is [-limit, limit] or, for probabilities, [0, 1]. Signed values
 * fill by their square root, so that small ones can still be told apart.
 * @param {number} value
 * @param {Scale} scale
 * @param {number} limit
 * @param {Theme} theme
 * @returns {Rgb}
 */
export function fill(value, scale, limit, theme) {
  const root = (Math.sign(value) * Math.sqrt(Math.abs(value) / (limit || 1))) / 2;
  const part = scale === 'probability' ? value : 0.5 + root;
  return along(ANCHORS[theme][scale], Math.min(1, Math.max(0, part || 0)));
}

/**
 * @param {Rgb[]} anchors
 * @param {number} part 0 to 1
 * @returns {Rgb}
 */
function along(anchors, part) {
  const position = part * (anchors.length - 1);
  const low = Math.min(Math.floor(position), anchors.length - 2);
  const [a, b] = [anchors[low], anchors[low + 1]];
  const mix = (/** @type {0 | 1 | 2} */ k) => Math.round(a[k] + (b[k] - a[k]) * (position - low));
  return [mix(0), mix(1), mix(2)];
}

/** @param {Rgb} rgb */
export const css = ([r, g, b]) => `rgb(${r} ${g} ${b})`;

/**
 * Black or white, whichever reads better on a fill; the better one never has less than 4.5 : 1.
 * @param {Rgb} rgb
 */
export function ink(rgb) {
  const l = luminance(rgb);
  return (l + 0.05) / 0.05 >= 1.05 / (l + 0.05) ? '#000' : '#fff';
}

/** What each part of a colour is in linear light. */
const LINEAR = Array.from({ length: 256 }, (_, part) => {
  const c = part / 255;
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
});

/**
 * Relative luminance as WCAG 2 defines it.
 * @param {Rgb} rgb
 */
export const luminance = ([r, g, b]) =>
  0.2126 * LINEAR[r] + 0.7152 * LINEAR[g] + 0.0722 * LINEAR[b];
