// Which held-out pairs the playground's training tries, and which of them it looks at.

/** @typedef {import('./task.js').Task} Task */
/** @typedef {import('./task.js').Pair} Pair */

const PAIRS = 64;
const EXAMPLES = 5;

/** The pairs to test on; the first few, those with the longest sources, are the ones to look at.
 * @param {Task} task @param {number} seed */
export function heldOut(task, seed) {
  const pairs = task.heldOut(PAIRS, seed);
  const length = (/** @type {Pair} */ { source }) => task.tokenize('source', source).length;
  const long = pairs.toSorted((a, b) => length(b) - length(a)).slice(0, EXAMPLES);
  return { pairs: [...long, ...pairs.filter((pair) => !long.includes(pair))], examples: long };
}
