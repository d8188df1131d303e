// The lessons that there are, in the order of teaching; each is loaded when it is opened.
/** @typedef {import('../../bindings/lessons/index.js').Lesson} Lesson */

/** @type {Record<string, () => Promise<{ default: any }>>} */
const FILES = {
  'why-attention': () => import('../lessons/why-attention.json', { with: { type: 'json' } }),
  'one-score': () => import('../lessons/one-score.json', { with: { type: 'json' } }),
  'scores-to-weights': () =>
    import('../lessons/scores-to-weights.json', { with: { type: 'json' } }),
  'the-output': () => import('../lessons/the-output.json', { with: { type: 'json' } }),
  'many-heads': () => import('../lessons/many-heads.json', { with: { type: 'json' } }),
  'where-am-i': () => import('../lessons/where-am-i.json', { with: { type: 'json' } }),
  'whole-machine': () => import('../lessons/whole-machine.json', { with: { type: 'json' } }),
  'how-it-learns': () => import('../lessons/how-it-learns.json', { with: { type: 'json' } }),
};

export const NAMES = Object.keys(FILES);

/**
 * @param {string} name
 * @returns {Promise<Lesson>}
 */
export async function lessonOf(name) {
  const { default: lesson } = await FILES[name]();
  return lesson;
}
