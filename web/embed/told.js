// The lessons of a figure lie in one file, with the words of every language.

/** @type {Record<string, any>} */
const LESSONS = import.meta.glob('../lessons/*.json', { import: 'default', eager: true });

/** A lesson with its words in all languages. @param {string} name @returns {Promise<any>} */
export const lessonIn = async (name) => LESSONS[`../lessons/${name}.json`];
