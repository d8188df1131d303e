// The chapter's words.
import { rich, text } from '../../locale/text.js';

/**
 * @param {string} key below chapters/training
 * @param {globalThis.Record<string, string | number>} [values]
 */
export const say = (key, values) => text(`chapters/training/${key}`, values);

/**
 * @param {string} key
 * @param {globalThis.Record<string, unknown>} values what a template can show
 */
export const tell = (key, values) => rich(`chapters/training/${key}`, values);
