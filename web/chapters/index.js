// The chapters, in the order of teaching. Each is loaded when it is opened.

/** Two heads of three words have scored and shared; what they mix is still to come. */
const HEADS = { example: 'two-heads', sentence: '', t: '239', heads: '2' };

/** @type {import('../shell/app.js').Entry[]} */
export const chapters = [
  { name: 'attention', load: () => import('./attention/chapter.js') },
  { name: 'heads', first: HEADS, load: () => import('./heads/chapter.js') },
  { name: 'positions', load: () => import('./positions/chapter.js') },
  { name: 'transformer', load: () => import('./transformer/chapter.js') },
  { name: 'training', load: () => import('./training/chapter.js') },
  { name: 'inside', load: () => import('./inside/chapter.js') },
  { name: 'exercises', load: () => import('./exercises/chapter.js') },
];
