// Which words of a French sentence belong together: the grammar, which wrote it, also reads it.

import { checkArray, checkOptions, checkText } from '../../js/base/errors.js';
import { frenchEnglish } from './french-english.js';
import { read } from './grammar.js';
import { START } from './vocabulary.js';

/** @typedef {import('../inside/roles.js').Link} Link */
/** @typedef {import('../inside/roles.js').LinkedText} LinkedText */

/** How the words of a French sentence belong together, from the one that would attend; by the levels that a text on
 * transformers names: the word before, phrases, the sentence. The relation "far" is of any of these, with two words or more in
 * between. */
export const sentenceLevels = Object.freeze({
  neighbours: Object.freeze(['previous']),
  phrase: Object.freeze([
    ...['nounDeterminer', 'determinerNoun', 'adjectiveNoun'],
    ...['prepositionObject', 'objectPreposition'],
  ]),
  sentence: Object.freeze(['verbSubject', 'subjectVerb']),
});

/** Tokens between the two words of a link that is far. */
const FAR = 3;

/** Pairs of words by their letters in KINDS of grammar.js, each in both directions.
 * @param {string} letters
 * @returns {[there: string, back: string | null, query: number, key: number][]} */
function pairsIn(letters) {
  const subject = letters.search(/[PN]/);
  return [...letters].flatMap((letter, i) => {
    const next = letters.indexOf('N', i);
    /** @type {Record<string, [string, string | null, number]>} */
    const pairs = {
      D: ['determinerNoun', 'nounDeterminer', next],
      R: ['prepositionObject', 'objectPreposition', next],
      A: ['adjectiveNoun', null, next],
      B: ['adjectiveNoun', null, letters.lastIndexOf('N', i)],
      C: ['adjectiveNoun', null, subject],
      V: ['verbSubject', 'subjectVerb', subject],
    };
    const pair = pairs[letter];
    return pair ? [[pair[0], pair[1], i, pair[2]]] : [];
  });
}

/** @param {string} letters
 * @returns {Link[]} */
const linksIn = (letters) =>
  pairsIn(letters).flatMap(([there, back, i, j]) => {
    const link = (
      /** @type {string} */ relation,
      /** @type {number} */ query,
      /** @type {number} */ key,
    ) => ({
      relation,
      query,
      keys: [key],
    });
    const links = [link(there, i, j), ...(back ? [link(back, j, i)] : [])];
    const isFar = Math.abs(i - j) >= FAR;
    return isFar ? links.flatMap((one) => [one, { ...one, relation: 'far' }]) : links;
  });

/** The words of a French sentence that belong together; null if the grammar has no such sentence.
 * @param {string} text
 * @returns {Link[] | null}
 * @example
 * import { sentenceLinks } from 'glassformer/tasks';
 *
 * sentenceLinks('le chat dort')?.find(({ relation }) => relation === 'verbSubject'); // = { relation: 'verbSubject', query: 2, keys: [1] } */
export function sentenceLinks(text) {
  const { sentence } = read(frenchEnglish.tokenize('source', checkText('sentenceLinks', text)));
  return sentence && linksIn(sentence.letters);
}

/** French sentences held out from training, as the encoder of a translator reads them, with their links: for headRoles.
 * @param {readonly { source: string }[]} pairs of the task french-english
 * @returns {(LinkedText & { inputs: { source: number[] } })[]}
 * @example
 * import { linkedSentences, tasks } from 'glassformer/tasks';
 *
 * const [{ inputs, links }] = linkedSentences(tasks['french-english'].heldOut(1, 1));
 * links.every(({ query }) => query < inputs.source.length); // = true */
export function linkedSentences(pairs) {
  checkArray('linkedSentences: pairs', pairs);
  return Array.from(pairs, (pair, i) =>
    linkedSentence(`linkedSentences: pairs[${i}]`, /** @type {any} */ (pair)),
  );
}

/** @param {string} where @param {{ source: string }} pair
 * @returns {LinkedText & { inputs: { source: number[] } }} */
function linkedSentence(where, pair) {
  checkOptions(where, pair, ['source', 'target']);
  const words = frenchEnglish.tokenize('source', checkText(`${where}: source`, pair.source));
  return {
    inputs: { source: frenchEnglish.vocabulary.encode(words), target: [START] },
    links: sentenceLinks(pair.source) ?? [],
  };
}
