// The chapter's words.
import { display } from '../../draw/format.js';
import { message, text } from '../../locale/text.js';

/**
 * @param {string} key below chapters/inside
 * @param {Record<string, string | number>} [values]
 */
export const say = (key, values) => text(`chapters/inside/${key}`, values);

/** A number with its sign. @param {number} value @param {import('../../draw/format.js').As} [as] */
export const signed = (value, as) => `${value < 0 ? '−' : '+'}${display(Math.abs(value), as)}`;

/** A change that may not be known yet. @param {number | null} change */
export const changeOf = (change) => (change === null ? '…' : signed(change));

/** What to tell of a failure: of a text or a model that does not fit, by the name of what is wrong.
 * @param {unknown} error */
export function reasonOf(error) {
  const { params } = /** @type {{ params?: Record<string, string | number> }} */ (error);
  return params?.says ? say(`unfit/${params.says}`, params) : message(error);
}
