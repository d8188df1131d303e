// The files of the lessons, with the words of one language each; bundle/lessons.js cuts them.

/** @typedef {Record<string, () => Promise<any>>} Files */

/** @type {Record<import('../locale/text.js').Code, Files>} */
export const FILES = {
  en: import.meta.glob('../lessons/*.json', { query: '?en', import: 'default' }),
  fr: import.meta.glob('../lessons/*.json', { query: '?fr', import: 'default' }),
  de: import.meta.glob('../lessons/*.json', { query: '?de', import: 'default' }),
};
