// Lessons in figures, in a file next to them: their player, the lessons, and the chapters that only lessons show.
import '../../stage/elements/plot.js';
import { mergeAll } from '../../app/locale/merge.js';
import { text } from '../../app/locale/text.js';
import learn from '../../player/chapter.js';
import { StoryModel } from '../../workers/inside/story-model.js';
import { weightsOf } from './lazy-files.js';
import './lesson.css';

/* What only lessons say, in every language. */
mergeAll(
  import.meta.glob('../../../bindings/words/*/page.json', { import: 'default', eager: true }),
  import.meta.glob('../../../bindings/words/*/page.json', {
    query: '?lessons',
    import: 'default',
    eager: true,
  }),
);

/** Goes to a scene, as the page around asks for it; throws if there is no such scene.
 * @param {import('../../player/player.js').Player} player @param {string} number */
function visit(player, number) {
  const most = player.lesson?.scenes.length ?? 0;
  const scene = Number(number);
  if (!Number.isInteger(scene) || scene < 1 || scene > most + 1) {
    throw new RangeError(text('lessons/noScene', { at: number, most }));
  }
  player.ask({ scene });
}

export { chapters } from './lesson-chapters.js';
export * as exercises from './lesson-exercises.js';
export const chapter = { ...learn, visit };

/** The model of the stories, whose weights lie beside the figures. @param {import('../../app/session.js').Session} session */
export const storyModel = async (session) =>
  new StoryModel(session.saved(await weightsOf('stories')));
