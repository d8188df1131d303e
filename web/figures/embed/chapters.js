// The chapters that figures can show, by their names.

import { LEARN } from '../../app/state/store.js';
import attention from '../../chapters/attention/chapter.js';
import heads from '../../chapters/heads/chapter.js';
import transformer from '../../chapters/transformer/chapter.js';
import { part } from './lazy-files.js';

/** @type {Record<string, import('../../app/state/store.js').Chapter>} */
export const chapters = { attention, heads, transformer };

/** Lessons are in a file of their own, which only figures that show one load. */
export async function teach() {
  const { chapter } = await part('lessons');
  chapters[LEARN] = chapter;
}
