// The chapters, in the order of teaching. Each is loaded when it is opened.

/** A text that a trained model reads. */
const HEADS = { example: 'stories', sentence: '', heads: '4' };

/** @type {import('../shell/app.js').Entry[]} */
export const chapters = [
  { name: 'attention', load: () => import('./attention/chapter.js') },
  { name: 'heads', first: HEADS, load: () => import('./heads/stories.js') },
  { name: 'positions', load: () => import('./positions/chapter.js') },
  { name: 'transformer', load: () => import('./transformer/chapter.js') },
  { name: 'training', load: () => import('./training/chapter.js') },
  { name: 'inside', load: () => import('./inside/chapter.js') },
  { name: 'exercises', load: () => import('./exercises/chapter.js') },
];
