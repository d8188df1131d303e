// The words of the French-English task as a reader browses them: by kind, with every form.

import { adjectives, determiners, nouns, places, pronouns, states, verbs } from './lexicon.js';
import { alternatives } from './synchronous.js';

/** @typedef {import('./lexicon.js').Noun} Noun */
/** @typedef {import('./task.js').DictionaryEntry} DictionaryEntry */

/** How a cell may be written: "de la/l'" is de la, or de l'.
 * @param {string} cell */
function written(cell) {
  const words = cell.split(' ');
  const last = words.pop() ?? '';
  return alternatives(last).map((word) => [...words, word].join(' '));
}

/** @param {string} kind @param {readonly string[]} source cells @param {readonly string[]} target likewise
 * @returns {DictionaryEntry} */
const entry = (kind, source, target) => {
  const [forms, meanings] = [source, target].map((cells) => [
    ...new Set(cells.filter((cell) => cell !== '-').flatMap(written)),
  ]);
  return { kind, source: forms, target: meanings };
};

/** What a noun is about.
 * @param {Noun} noun */
function subjectOf({ group, kinds }) {
  if (group === 'human') return 'person';
  if (group === 'animal' || group === 'food') return group;
  return kinds.includes('place') ? 'place' : 'thing';
}

/** In this order. */
const SUBJECTS = ['person', 'animal', 'food', 'thing', 'place'];

/** @type {readonly (readonly [string, string[]])[]} */
const PARTICLES = [
  ["ne/n'", ['not']],
  ['pas', ['not', 'do not', 'does not']],
  ["de/d'", ['any', 'some', 'a/an']],
  ['très', ['very']],
  ['il y a', ['there is', 'there are']],
];

/** @returns {DictionaryEntry[]} */
export const dictionary = () => [
  ...pronouns
    .filter(({ french }, i) => pronouns.findIndex((one) => one.french === french) === i)
    .map(({ french, english }) => entry('pronoun', [french], [english])),
  ...determiners.map(({ french, english }) =>
    entry('determiner', [...french.m, ...french.f], english),
  ),
  ...nouns
    .map((noun) => entry(subjectOf(noun), noun.french, noun.english))
    .toSorted((a, b) => SUBJECTS.indexOf(a.kind) - SUBJECTS.indexOf(b.kind)),
  ...adjectives.map(({ french, english, predicate }) =>
    entry('adjective', [...french.m, ...french.f], [english, predicate]),
  ),
  ...Object.values(verbs).map(({ french, english, name }) =>
    entry('verb', french, name === 'be' ? english : [name, english[2]]),
  ),
  ...states.map(({ french, english }) => entry('state', [french], [english])),
  ...places.flatMap(({ prepositions }) =>
    prepositions.map(({ french, english }) => entry('preposition', [french], [english])),
  ),
  ...PARTICLES.map(([french, english]) => entry('particle', [french], english)),
];
