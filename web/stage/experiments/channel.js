// What a row of attention weights does as a look-up, and as a channel for information.

/** A weight above this leaves the other values nothing that could be seen. */
const ALONE = 0.99;
/** Weights that are nearer to each other than this differ by rounding. */
const SAME = 1e-5;
/** The value with the most weight comes through with so many times the bits of any other. */
const CLEARER = 10;

/**
 * @param {number[]} weights
 * @param {number[]} bits of each value, what information() gives of these weights
 * @param {number} [noise] that was assumed
 * @returns {{ best: number, most: number, mixture: 'one' | 'tie' | 'mixture', says: 'holds' | 'partly' | 'fails' }} best: the value
 *   with the most weight; most: the bits that it would have alone. says: whether what is relevant comes through as well as it
 *   could, only more clearly than the rest, or neither
 */
export function channel(weights, bits, noise = 0.01) {
  const best = weights.indexOf(Math.max(...weights));
  const most = Math.log2((1 + noise) / noise) / 2;
  const others = (/** @type {number[]} */ all) => Math.max(0, ...all.filter((_, j) => j !== best));
  const isTie = weights[best] - others(weights) < SAME;
  const mixture = weights[best] > ALONE ? 'one' : isTie ? 'tie' : 'mixture';
  const isClearer = bits[best] > CLEARER * others(bits);
  const says = bits[best] > ALONE * most ? 'holds' : isClearer ? 'partly' : 'fails';
  return { best, most, mixture, says };
}
