// What a figure in another page can do: the exports of page.js. It carries no weights, reads no files, keeps nothing and
// has no sheets. Lessons and motion are in files beside it.
import { part } from '../figures/embed/lazy-files.js';

export { Session } from '../app/session.js';
export { translator } from '../figures/embed/load-translator.js';

export const keepsProgress = false;

export const motion = {
  isReady: false,
  load: async () => {
    await part('motion');
    motion.isReady = true;
  },
};

/** Where it does not come, the matrices stand alone. */
export const geometry = () => part('motion').catch(() => {});

/** The chapters that lessons show. */
export const chapters = [
  'attention',
  'heads',
  'transformer',
  'training',
  'inside',
  'exercises',
].map((name) => ({
  name,
  load: async () => ({ default: (await part('lessons')).chapters[name] }),
}));

/** What lessons need of the exercises. */
export const exercises = async () => (await part('lessons')).exercises;

export const claims = async () => {};
/** @type {Record<string, () => Promise<unknown>>} */
export const measurements = {};
/** Curves are the page's: without them the table stands alone, and no network is played. */
export const growth = null;
export const lessonList = null;
export const sources = null;
export const whatIf = null;
export const slide = null;

/** A figure says where checkpoints can be read. */
export const checkpoints = async () => {
  await import('../figures/embed/no-checkpoint.js');
  return null;
};

/** @param {import('../app/session.js').Session} session */
export const storyModel = async (session) => (await part('lessons')).storyModel(session);
