// Translation from a small, written grammar: see grammar.js for the sentences, lexicon.js for the words.

import { isOneIn } from '../../js/base/random.js';
import { dictionary } from './dictionary.js';
import { draw, MAX_WORDS, read, vocabulary } from './grammar.js';
import { Task } from './task.js';

/** @typedef {import('./grammar.js').Sentence} Sentence */

/** Sentences with more words than that are kept from training, and so are these structures: one in so many of those
 * that have more than a few words. */
const TRAINED_WORDS = 12;
const HELD_OUT_STRUCTURES = 8;
const FEW_WORDS = 6;

/** An elided word keeps its apostrophe: l'homme is l' + homme. Other marks are dropped; "soeur" is written "sœur".
 * @param {string} text */
const frenchWords = (text) =>
  text
    .toLowerCase()
    .replaceAll('’', "'")
    .replaceAll('oeu', 'œu')
    .match(/[\p{L}\p{N}]+'?/gu) ?? [];

/** Lower case, but for "I".
 * @param {string} text */
const englishWords = (text) =>
  (text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? []).map((word) => (word === 'i' ? 'I' : word));

/** @param {readonly string[]} words */
const join = (words) => words.join(' ').replaceAll("' ", "'");

/** Why a sentence is kept from training, its words aside.
 * @param {Sentence} sentence */
function apartOf({ french, structure }) {
  if (french.length > TRAINED_WORDS) return 'lengths';
  if (structure.length <= FEW_WORDS) return null;
  return isOneIn(HELD_OUT_STRUCTURES, structure) ? 'structures' : null;
}

export const frenchEnglish = new Task({
  name: 'french-english',
  title: 'French to English',
  about:
    'Sentences about people, animals and things: who they are, what they do, have and like, and where. Adjectives change place, one word becomes three, and what a word means depends on its neighbours.',
  maxSource: MAX_WORDS,
  maxTarget: 17,
  get words() {
    const { french, english } = vocabulary();
    return [...new Set([...french, ...english])];
  },
  get sourceWords() {
    return vocabulary().french;
  },
  splits: ['structures', 'lengths'],
  split: (text, side) => (side === 'source' ? frenchWords(text) : englishWords(text)),
  join,
  draw(dice) {
    const sentence = draw(dice);
    const apart = apartOf(sentence);
    return { source: join(sentence.french), target: join(sentence.english), apart };
  },
  dictionary,
  solve(words) {
    const { sentence, fits } = read(words);
    return { answer: sentence && join(sentence.english), fits };
  },
});
