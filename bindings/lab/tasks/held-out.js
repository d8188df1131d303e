// Chooses the held-out pairs that the playground's training tests, and the examples that it shows.

/** @typedef {import('./task.js').Task} Task */
/** @typedef {import('./task.js').Pair} Pair */

const PAIRS = 64;
const EXAMPLES = 5;

/** Natural sentences, since a grammar also makes strange ones. Training never has them; they are of all lengths.
 * @type {Readonly<Record<string, readonly string[]>>} */
const CHOSEN = {
  'french-english': [
    'la vieille femme mange une pomme rouge dans la cuisine',
    'le garçon lit un livre dans le jardin',
    'le jeune boulanger ne boit pas de vin',
    'ma mère regarde les oiseaux dans le parc',
    'ma sœur ferme la porte verte',
  ],
};

/** The pairs to show: chosen ones, or those with the longest sources.
 * @param {Task} task @param {readonly Pair[]} pairs @returns {Pair[]} */
function examplesOf(task, pairs) {
  const chosen = CHOSEN[task.name];
  if (chosen) return chosen.map((source) => ({ source, target: task.solve(source).answer ?? '' }));
  const length = (/** @type {Pair} */ { source }) => task.tokenize('source', source).length;
  return pairs.toSorted((a, b) => length(b) - length(a)).slice(0, EXAMPLES);
}

/** The pairs to test on; the first few are those to show.
 * @param {Task} task @param {number} seed */
export function heldOut(task, seed) {
  const drawn = task.heldOut(PAIRS, seed);
  const examples = examplesOf(task, drawn);
  const sources = new Set(examples.map(({ source }) => source));
  const others = drawn.filter(({ source }) => !sources.has(source));
  return { pairs: [...examples, ...others].slice(0, PAIRS), examples };
}
