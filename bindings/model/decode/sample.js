// Which token comes next: the best one, or one by chance.

/** @typedef {import('../../runtime/engine.js').Engine} Engine */

/** The best ids, best first; of equals the lower one.
 * @param {Float32Array} scores @param {number} count 0: all */
export function ranked(scores, count) {
  /* Sorting numbers is fast; sorting ids by their numbers is not, so only few are left for that. */
  const least = scores.slice().sort()[count ? Math.max(0, scores.length - count) : 0];
  const ids = Array.from(scores, (_, id) => id).filter((id) => scores[id] >= least);
  ids.sort((a, b) => scores[b] - scores[a] || a - b);
  return count ? ids.slice(0, count) : ids;
}

/** @param {Float32Array} scores */
export function best(scores) {
  let at = 0;
  for (let id = 1; id < scores.length; id++) if (scores[id] > scores[at]) at = id;
  return at;
}

/**
 * @typedef {object} Chance
 * @property {number} temperature above 0
 * @property {number} topK the best so many are left; 0: all
 * @property {number} topP then the fewest that have this much of the probability together; 1: all
 * @property {number} seed
 */

/** How many of the first have so much of the sum together.
 * @param {readonly number[]} shares @param {number} part 0 to 1 */
function fewest(shares, part) {
  const wanted = part * shares.reduce((sum, share) => sum + share, 0);
  let sum = 0;
  for (const [i, share] of shares.entries()) {
    sum += share;
    if (sum >= wanted) return i + 1;
  }
  return shares.length;
}

/** Draws a token. All that is not exact is the core's, so a seed gives one token everywhere.
 * @param {Engine} engine
 * @param {{ logits: Float32Array, probabilities: Float32Array }} scores at the temperature
 * @param {Chance} chance @param {number} place of the token: its own random number */
export function draw(engine, { logits, probabilities }, { topK, topP, seed }, place) {
  const whole = topK === 0 && topP === 1;
  let ids = whole ? Array.from(logits, (_, id) => id) : ranked(logits, topK);
  if (topP < 1) {
    ids = ids.slice(
      0,
      fewest(
        ids.map((id) => probabilities[id]),
        topP,
      ),
    );
  }
  const total = ids.reduce((sum, id) => sum + probabilities[id], 0);
  const at = engine.integers([0]);
  engine.core.gf_uniform(at, 1, seed, place, 0, 1);
  let left = new Float32Array(engine.memory.buffer, at, 1)[0] * total;
  for (const id of ids) {
    left -= probabilities[id];
    if (left < 0) return id;
  }
  return best(logits);
}
