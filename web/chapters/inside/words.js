// The chapter's words.
import { text } from '../../locale/text.js';

/**
 * @param {string} key below chapters/inside
 * @param {Record<string, string | number>} [values]
 */
export const say = (key, values) => text(`chapters/inside/${key}`, values);
