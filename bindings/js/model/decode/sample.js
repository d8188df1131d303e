// Which token comes next: the best one, or one drawn at random; the core does both.

import { rangeError } from '../../base/errors.js';

/** @typedef {import('../../runtime/engine.js').Engine} Engine */

/**
 * @typedef {object} Chance
 * @property {number} temperature above 0
 * @property {number} topK the best so many are left; 0: all
 * @property {number} topP then the fewest that have this much of the probability together; 1: all
 * @property {number} seed
 */

/** Does work that chooses among so many tokens, with memory of the core for logits, probabilities and ids.
 * @template Y, R
 * @param {Engine} engine @param {number} vocab @param {(room: number) => Generator<Y, R>} work
 * @returns {Generator<Y, R>} */
export function* choosing({ heap }, vocab, work) {
  const room = heap.alloc(12 * vocab);
  try {
    return yield* work(room);
  } finally {
    heap.free(room);
  }
}

/** Refuses scores by which no token can be chosen: NaN or Infinity among them, as of a model whose file is broken, or
 * nothing but -Infinity. A temperature near 0 can make such numbers of finite logits.
 * @param {string} where @param {{ logits: Float32Array, probabilities: Float32Array }} scores of one sequence
 * @param {number} position of the token that is to be chosen */
export function checkScores(where, { logits, probabilities }, position) {
  const isWrong = (/** @type {number} */ logit) => !(logit < Number.POSITIVE_INFINITY);
  if (logits.includes(Number.NaN) || logits.includes(Number.POSITIVE_INFINITY)) {
    const id = logits.findIndex(isWrong);
    throw rangeError('logit', { where, value: logits[id], id, position });
  }
  if (probabilities.includes(Number.NaN)) throw rangeError('tooCold', { where, position });
  if (logits.every((logit) => logit === Number.NEGATIVE_INFINITY)) {
    throw rangeError('nothingToChoose', { where, position });
  }
}

/** The best ids, best first; of equals the lower one.
 * @param {Engine} engine @param {number} room @param {Float32Array} scores @param {number} count 1 or more */
export function ranked({ core, memory }, room, scores, count) {
  const { length } = scores;
  new Float32Array(memory.buffer, room).set(scores);
  core.gf_rank(room, length, count, room + 8 * length);
  return Array.from(new Int32Array(memory.buffer, room + 8 * length, count));
}

/** The best token, or one drawn at random: a seed gives the same token on every machine.
 * @param {Engine} engine @param {number} room
 * @param {{ logits: Float32Array, probabilities: Float32Array }} scores at the temperature
 * @param {Chance | null} chance null takes the best @param {number} place of the token: its own random number */
export function choose({ core, memory }, room, { logits, probabilities }, chance, place) {
  const { length } = logits;
  const { topK = 1, topP = 1, seed = 0 } = /** @type {Partial<Chance>} */ (chance ?? {});
  const numbers = new Float32Array(memory.buffer, room);
  numbers.set(logits);
  numbers.set(probabilities, length);
  const shares = room + 4 * length;
  const ids = room + 8 * length;
  return core.gf_draw(room, shares, length, topK, topP, seed, place, ids);
}
