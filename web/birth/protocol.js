// What page and worker say to each other about the birth of a head, by web/remote.

export const STEPS = 1200;
/** Steps from one point to the next. */
export const EVERY = 25;
/** Eight tokens, and what came first again; the last is what the model has to know. */
export const SEQUENCE = [3, 1, 4, 15, 9, 2, 6, 5, 3, 1, 4, 15, 9, 2];

/** @typedef {{ layer: number, head: number }} Head */
/** @typedef {{ grow: { seed: number }, read: { step: number, off: readonly Head[] } }} Questions */
/**
 * @typedef {{ grow: { bits: string | null }, read: Reading }} Answers
 * bits: the beginning of the hash of the model's bytes when it was trained, where there is one.
 */
/**
 * @typedef {object} Reading
 * @property {number} step
 * @property {Float32Array[]} weights of each layer, all heads on: [heads, tokens, tokens]
 * @property {number} before the probability of the right token, all heads on
 * @property {number} after without those that are off
 * @property {number[][]} alone without each head alone, by layer and head
 */
/**
 * @typedef {object} Grown
 * @property {number} seed
 * @property {import('./core.js').Point[]} points those since the last time
 * @property {import('./core.js').Change | null} change which head was born so far; null at the first point
 * @property {Reading} reading after the last of them
 */
/** @typedef {{ grown: Grown }} Telling */
