// What page and worker say to each other about the birth of a head, by web/workers/remote.

export const STEPS = 1200;
/** Steps from one point to the next. */
export const EVERY = 25;
/** How many tokens it knows. */
export const TOKENS = 16;
/** Eight tokens, and what came first again; the last is what the model has to know. */
export const SEQUENCE = [3, 1, 4, 15, 9, 2, 6, 5, 3, 1, 4, 15, 9, 2];

/** @typedef {{ layer: number, head: number }} Head */
/** @typedef {import('../../stage/draw/tensor.js').Cell} Cell */
/** @typedef {{ grow: { seed: number, layers?: number }, read: { step: number, off: readonly Head[] },
 *   take: { step: number, weight: Cell | Head } }} Questions
 * take: which step is taken from there, and what it does to a weight, or to the query weight of a head where the loss is steepest.
 */
/**
 * @typedef {{ grow: { bits: string | null }, read: Reading, take: Taken }} Answers
 * bits: the beginning of the hash of the model's bytes when it was trained, where there is one.
 */
/**
 * @typedef {object} Reading
 * @property {number} step
 * @property {import('../../app/session.js').Step[]} steps of the computation, in their order, all heads on
 * @property {number} before the probability of the right token, all heads on
 * @property {number} after without those that are off
 * @property {number[][]} alone without each head alone, by layer and head
 */
/**
 * @typedef {object} Taken what gf-adam shows of a step
 * @property {number} step from which it is taken
 * @property {Cell} weight
 * @property {import('./core.js').Update} update
 * @property {{ training: { rate: number, clip: number }, gradientNorm: number, config: { dModel: number },
 *   parameters: { name: string, shape: number[] }[] }} facts of it
 * @property {import('../../app/session.js').Step} parameter the one with the weight, and its gradients
 */
/**
 * @typedef {object} Grown
 * @property {number} seed
 * @property {number} layers
 * @property {import('./core.js').Point[]} points those since the last time
 * @property {import('./core.js').Change | null} change which head was born so far; null at the first point
 * @property {Reading} reading after the last of them
 */
/** @typedef {{ grown: Grown }} Telling */
