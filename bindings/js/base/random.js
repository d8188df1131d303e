// Random numbers that can be repeated: each depends on its seed and its place, never on the order of calls.

/** Spreads 32 bits over 32 bits, one to one (the finaliser of Appleby's MurmurHash3).
 * @param {number} x */
function mix(x) {
  let h = x;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** A hash of integers, order included. Each step adds 2^32 over the golden ratio, so that zeros count.
 * @param {number[]} words
 * @returns {number} 0 to 2^32 - 1 */
export const hash = (...words) => hashOf(words);

/** The same of a list, which may be longer than a call's arguments.
 * @param {ArrayLike<number>} words
 * @returns {number} 0 to 2^32 - 1 */
export function hashOf(words) {
  let h = 0;
  for (let i = 0; i < words.length; i++) h = mix((h ^ words[i]) + 0x9e3779b9);
  return h;
}

/** Whether a text is one in so many: always the same ones. @param {number} count @param {string} text */
export const isOneIn = (count, text) => hashOf(new TextEncoder().encode(text)) % count === 0;

/** @typedef {(n: number) => number} Dice a random integer from 0 to n - 1 */

/** The random numbers of one example: its k-th throw is a hash of (seed, index, k).
 * @param {number} seed @param {number} index
 * @returns {Dice} */
export function dice(seed, index) {
  let k = 0;
  return (n) => Math.floor((hash(seed, index, k++) / 2 ** 32) * n);
}

/** The list in a random order (Fisher and Yates).
 * @template T
 * @param {readonly T[]} list @param {number} seed @param {number} index
 * @returns {T[]} */
export function shuffled(list, seed, index) {
  const throwDice = dice(seed, index);
  const out = [...list];
  for (let i = out.length - 1; i > 0; i--) {
    const j = throwDice(i + 1);
    [out[i], out[j]] = [out[j], out[i]];
  }
  return out;
}

/** @template T
 * @param {Dice} throwDice @param {readonly T[]} list
 * @returns {T} */
export const pick = (throwDice, list) => list[throwDice(list.length)];
