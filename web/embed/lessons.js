// Lessons in figures, in a file beside them: their player, the lessons themselves, and what these need of the chapters
// that are no figures.
import '../elements/plot.js';
import { StoryModel } from '../inside/story-model.js';
import { merge } from '../locale/merge.js';
import { LANGUAGES, text } from '../locale/text.js';
import learn from '../teaching/chapter.js';
import { beside } from './lazy-files.js';
import './lesson.css';

/** What only lessons say, by language. @type {Record<string, any>} */
const WORDS = import.meta.glob('../locale/*.json', {
  query: '?lessons',
  import: 'default',
  eager: true,
});

async function speak() {
  for (const [code, { load }] of Object.entries(LANGUAGES)) {
    const [{ default: words }] = await load();
    merge(words, WORDS[`../locale/${code}.json`]);
  }
}

/** Goes to a scene, as the page around asks for it; throws if there is no such scene.
 * @param {import('../teaching/player.js').Player} player @param {string} at its number */
function visit(player, at) {
  const most = player.lesson?.scenes.length ?? 0;
  const scene = Number(at);
  if (!Number.isInteger(scene) || scene < 1 || scene > most + 1) {
    throw new RangeError(text('lessons/noScene', { at, most }));
  }
  player.ask({ scene });
}

export { chapters } from './lesson-chapters.js';
export * as exercises from './lesson-exercises.js';
export const chapter = { ...learn, visit };
export const prepared = speak();

/** The model of the stories, whose weights lie beside the figures. @param {import('../session.js').Session} session */
export const storyModel = async (session) =>
  new StoryModel(session.saved((await beside('stories.js')).weights));
