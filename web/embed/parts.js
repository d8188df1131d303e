// The parts of a figure that an author can choose among, and how lists of words are read.

/** In the order in which they stand on the page. */
export const PARTS = [
  'example',
  'map',
  'switches',
  'strip',
  'stage',
  'caption',
  'legend',
  'formula',
  'microscope',
  'timeline',
];

/** What is shown where the author does not say. */
export const USUAL = 'stage,caption,timeline';

/**
 * @param {string} text 'stage, timeline'; 'all' stands for all of them
 * @param {readonly string[]} words that it may name
 * @returns {Set<string>}
 */
export function wordsIn(text, words) {
  const named = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const strange = named.find((word) => word !== 'all' && !words.includes(word));
  if (strange !== undefined) {
    throw new RangeError(`“${strange}” is none of ${words.join(', ')}`);
  }
  return new Set(named.includes('all') ? [...words, 'all'] : named);
}
