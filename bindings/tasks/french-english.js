// Translation from a small, written grammar: see grammar.js for the sentences, lexicon.js for the words.

import { sentences } from './grammar.js';
import { Task } from './task.js';

/** An elided word keeps its apostrophe: l'homme is l' + homme. Other marks are dropped.
 * @param {string} text */
const frenchWords = (text) =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('’', "'")
    .match(/[\p{L}\p{N}]+'?/gu) ?? [];

/** Lower case, but for "I".
 * @param {string} text */
const englishWords = (text) =>
  (text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? []).map((word) => (word === 'i' ? 'I' : word));

export const frenchEnglish = new Task({
  name: 'french-english',
  title: 'French to English',
  about:
    'Simple sentences about animals, people, food and school. Adjectives change place, one word becomes three, and what a word means depends on its neighbours.',
  maxSource: 8,
  maxTarget: 10,
  split: (text, side) => (side === 'source' ? frenchWords(text) : englishWords(text)),
  join: (words) => words.join(' ').replaceAll("' ", "'"),
  list: sentences,
});
