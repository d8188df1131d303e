// The chapters that figures can show, by their names.
import attention from '../chapters/attention/chapter.js';
import heads from '../chapters/heads/chapter.js';
import transformer from '../chapters/transformer/chapter.js';

/** @type {Record<string, import('../state/store.js').Chapter>} */
export const chapters = { attention, heads, transformer };
