// What the page can do. Elements and chapters import it as `#capabilities`; in a figure and in an assignment that is
// another file of this folder with the same exports (`imports` in web/package.json; each build names its condition).
// Everything that is not needed at once is loaded when it is called for.

export { Session } from '../app/session.js';
export { chapters } from '../chapters/index.js';

/** Whether the browser remembers how far a reader has come in the lessons. */
export const keepsProgress = true;

/** What moves on the stage. isReady: whether it may be shown at all by now. */
export const motion = { isReady: true, load: () => import('../stage/elements/motion.js') };

/** Defines the geometric view. */
export const geometry = () => import('../stage/elements/geometry.js');

/** Problems by hand, their marking and their export. */
export const exercises = () => import('../../bindings/learn/exercises/index.js');

/** The experiments behind the claims, and the sheet that shows them. */
export const claims = () => import('../stage/elements/evidence.js');

/** Panels of the translator alone: what its heads do, and what lies in the vectors of its words.
 * @type {Record<string, () => Promise<unknown>>} */
export const measurements = {
  roles: () => import('../chapters/transformer/roles.js'),
  meaning: () => import('../chapters/transformer/meaning/element.js'),
  bits: () => import('../chapters/transformer/bits.js'),
};

/** Draws how the work of layers grows, and plays a recurrent network. */
export const growth = () => import('../chapters/transformer/growth.js');

/** Defines what shows where the tokens of an example come from: a text in pieces, an image in patches. */
export const sources = {
  pieces: () => import('../chapters/attention/pieces.js'),
  patches: () => import('../chapters/attention/patches.js'),
};

/** Defines what asks how attention changes with another divisor or a longer query. */
export const whatIf = () => import('../chapters/attention/what-if.js');

/** Defines what a slide has besides its picture: the formula, its number, and the last one. */
export const slide = () => import('../chapters/attention/slide.js');

/** The list of lessons, which also opens those from elsewhere. */
export const lessonList = () => import('../player/welcome.js');

/** Defines the sheet that opens a checkpoint, and gives what computes checkpoints. */
export const checkpoints = async () => (await import('../chapters/transformer/ahead.js')).Ahead;

/** The trained translator; its vocabulary is a sheet of the page.
 * @param {import('../workers/reader/download.js').Listener} listener */
export async function translator(listener) {
  const [model] = await Promise.all([
    import('../workers/reader/model.js'),
    import('../chapters/transformer/vocabulary.js'),
  ]);
  return model.translator(listener);
}

/** The model of the stories. @param {import('../app/session.js').Session} session */
export async function storyModel(session) {
  const { opened } = await import('../workers/inside/heads.js');
  return opened(session);
}
