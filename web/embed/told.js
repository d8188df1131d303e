// The lessons of a figure lie in one file, with the words of every language.

/** @type {Record<string, any>} */
const lessons = import.meta.glob('../lessons/*.json', { import: 'default', eager: true });

const all = Object.fromEntries(
  Object.entries(lessons).map(([name, lesson]) => [name, async () => lesson]),
);

/** @type {Record<import('../locale/text.js').Code, import('../teaching/files.js').Files>} */
export const FILES = { en: all, fr: all, de: all };
