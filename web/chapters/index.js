// The chapters, in the order of teaching. Each is loaded when it is opened.

/** @type {{ name: string, load: () => Promise<{ default: import('../state/store.js').Chapter }> }[]} */
export const chapters = [
  { name: 'attention', load: () => import('./attention/chapter.js') },
  { name: 'heads', load: () => import('./heads/chapter.js') },
  { name: 'positions', load: () => import('./positions/chapter.js') },
  { name: 'transformer', load: () => import('./transformer/chapter.js') },
  { name: 'training', load: () => import('./training/chapter.js') },
  { name: 'exercises', load: () => import('./exercises/chapter.js') },
];
