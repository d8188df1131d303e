// Stories as text and as tokens, and which of them training never sees.

import {
  checkArray,
  checkInteger,
  checkText,
  checkUint32,
  checkWord,
} from '../../js/base/errors.js';
import { dice, isOneIn } from '../../js/base/random.js';
import { SPECIAL, START, Vocabulary } from '../tasks/vocabulary.js';
import { draw } from './draw.js';
import { WORDS } from './lexicon.js';

/** @typedef {import('./draw.js').Decided} Decided */
/** @typedef {import('./draw.js').Drawn} Drawn */

/** text: as it is written; tokens: from <start> on; decided: the words that those before them decide.
 * @typedef {{ text: string, tokens: string[], decided: Decided[] }} Story */

const MAX_HELD_OUT = 10_000;
/** One pair of people in so many is held out, and one thing. */
const HELD_OUT_SHARE = 8;

/** What training never has: two people together, or a colour and a thing together. */
export const SPLITS = Object.freeze(['casts', 'things']);

/** Positions of the longest story, <start> included. */
export const LONGEST = 96;

export const vocabulary = new Vocabulary([...SPECIAL, ...WORDS]);

/** Words and signs.
 * @param {string} text
 * @returns {string[]} none of them <start>
 * @example
 * import { tokenize } from 'glassformer/stories';
 *
 * tokenize('Who has it? Ben.'); // = ['Who', 'has', 'it', '?', 'Ben', '.'] */
export function tokenize(text) {
  const plain = checkText('tokenize', text)
    .normalize('NFC')
    .replace(/[“”«»„]/g, '"');
  return plain.match(/[\p{L}\p{N}']+|[^\s\p{L}\p{N}']/gu) ?? [];
}

/** Tokens as a text: no space before a sign, none within quotes.
 * @param {readonly string[]} tokens without <start>
 * @example
 * import { detokenize } from 'glassformer/stories';
 *
 * detokenize(['Ben', 'says', ':', '"', 'Hello', ',', 'Mia', '.', '"']); // = 'Ben says: "Hello, Mia."' */
export function detokenize(tokens) {
  checkArray('detokenize: tokens', tokens);
  let text = '';
  let isOpen = false;
  /** Whether no space stands before the next token. */
  let isGlued = true;
  for (const [i, token] of tokens.entries()) {
    checkText(`detokenize: tokens[${i}]`, token);
    const isQuote = token === '"';
    text += isGlued || (isOpen && isQuote) || /^[.,:?]$/.test(token) ? token : ` ${token}`;
    if (isQuote) isOpen = !isOpen;
    isGlued = isOpen && isQuote;
  }
  return text;
}

/** @param {readonly string[]} words */
const isHeldOut = (...words) => isOneIn(HELD_OUT_SHARE, words.join(' '));

/** Why a story is kept from training, or null.
 * @param {Drawn} drawn */
function splitOf({ cast, thing: { colour, noun } }) {
  if (isHeldOut(...cast.map(({ name }) => name).toSorted())) return 'casts';
  return isHeldOut(colour, noun) ? 'things' : null;
}

/** @param {Drawn} drawn
 * @returns {Story} */
const storyOf = ({ tokens, decided }) => ({ text: detokenize(tokens.slice(1)), tokens, decided });

/** @param {number} seed @param {string | null} wanted the split, or null for stories to train on
 * @returns {Generator<Story, never, undefined>} */
function* stream(seed, wanted) {
  for (let index = 0; ; index++) {
    const drawn = draw(dice(seed, index));
    if (splitOf(drawn) === wanted) yield storyOf(drawn);
  }
}

/** The story at one place in the stream of a seed, be it held out or not.
 * @param {number} index 0 to 2^32 - 1 @param {number} seed likewise
 * @returns {Story}
 * @example
 * import { story } from 'glassformer/stories';
 *
 * const { tokens, decided } = story(0, 1);
 * tokens[0]; // = '<start>'
 * decided.every(({ position, token }) => tokens[position + 1] === token); // = true */
export function story(index, seed) {
  checkUint32('story: index', index);
  checkUint32('story: seed', seed);
  return storyOf(draw(dice(seed, index)));
}

/** Stories to train on, without end.
 * @param {number} seed 0 to 2^32 - 1
 * @example
 * import { trainingStories } from 'glassformer/stories';
 *
 * trainingStories(1).next().value.text.endsWith('.'); // = true */
export function trainingStories(seed) {
  checkUint32('trainingStories: seed', seed);
  return stream(seed, null);
}

/** Stories to test on: their people, or the thing and its colour, are never together in training.
 * @param {number} count 0 to 10,000 @param {number} seed 0 to 2^32 - 1
 * @param {string} [split] 'casts' by default, or 'things'
 * @returns {Story[]}
 * @example
 * import { heldOutStories } from 'glassformer/stories';
 *
 * heldOutStories(3, 1, 'things').length; // = 3 */
export function heldOutStories(count, seed, split = SPLITS[0]) {
  checkInteger('heldOutStories: count', count, 0, MAX_HELD_OUT);
  checkUint32('heldOutStories: seed', seed);
  checkWord('heldOutStories: split', split, SPLITS);
  const stories = stream(seed, split);
  return Array.from({ length: count }, () => stories.next().value);
}

/** What a model reads of a text: <start> and its words.
 * @param {string} text
 * @returns {{ target: number[] }}
 * @example
 * import { storyInputs, vocabulary } from 'glassformer/stories';
 *
 * const { target } = storyInputs('Anna says: "');
 * vocabulary.decode(target); // = ['<start>', 'Anna', 'says', ':', '"'] */
export function storyInputs(text) {
  return { target: [START, ...vocabulary.encode(tokenize(text))] };
}
