// The files of the lessons; bundle/lessons.js cuts each into the words of one language.

/** @typedef {import('../app/locale/text.js').Code} Code */

/** @type {Record<string, Record<Code, () => Promise<any>>>} */
const LESSONS = import.meta.glob('../lessons/*.json', {
  query: '?languages',
  import: 'default',
  eager: true,
});

/** A lesson with its words in one language. @param {string} name @param {Code} code @returns {Promise<any>} */
export const lessonIn = (name, code) => LESSONS[`../lessons/${name}.json`][code]();

/** Which scene of each lesson is the first about each box of the map. @type {Record<string, Record<string, number>>} */
const PLACES = import.meta.glob('../lessons/*.json', {
  query: '?map',
  import: 'default',
  eager: true,
});

/** @param {string} name @returns {Record<string, number>} */
export const placesIn = (name) => PLACES[`../lessons/${name}.json`];
