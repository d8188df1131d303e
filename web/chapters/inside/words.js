// The chapter's words.
import { display } from '../../draw/format.js';
import { text } from '../../locale/text.js';

/**
 * @param {string} key below chapters/inside
 * @param {Record<string, string | number>} [values]
 */
export const say = (key, values) => text(`chapters/inside/${key}`, values);

/** A number with its sign. @param {number} value @param {import('../../draw/format.js').As} [as] */
export const signed = (value, as) => `${value < 0 ? '−' : '+'}${display(Math.abs(value), as)}`;
