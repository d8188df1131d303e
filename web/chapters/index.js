// The chapters, in the order of teaching. Each is loaded when it is opened.

/** A text that a trained model reads: in its last layer, a head finds the name. */
const HEADS = { example: 'stories', sentence: '', heads: '4', layer: '2' };

/** A chapter that walks through a trace, with the sheets beside its stage. @template T @param {Promise<T>} chapter */
async function walk(chapter) {
  const [loaded] = await Promise.all([chapter, import('../stage/elements/sheets.js')]);
  return loaded;
}

/** @type {import('../app/shell/app.js').Entry[]} */
export const chapters = [
  {
    name: 'attention',
    /* All is computed: what Play makes is seen before it is played. */
    first: { example: 'i-love-robotics', t: '91' },
    load: () => walk(import('./attention/chapter.js')),
  },
  { name: 'heads', first: HEADS, load: () => walk(import('./heads/stories.js')) },
  { name: 'positions', load: () => walk(import('./positions/chapter.js')) },
  { name: 'transformer', load: () => walk(import('./transformer/chapter.js')) },
  { name: 'training', load: () => import('./training/chapter.js') },
  { name: 'inside', load: () => import('./inside/chapter.js') },
  { name: 'exercises', load: () => import('./exercises/chapter.js') },
];
