// How much of a long list one run tries: `make test` a part, which the number SAMPLE chooses, and `make test-all`
// everything.
import { createHash } from 'node:crypto';
import { REASONS } from './skips.js';

/** Whether everything is tried. */
export const full = process.env.FULL === '1';

/** Which part is tried. */
export const number = process.env.SAMPLE ?? '0';

/** How many of so many tries are made: fewer on the core of `make guard`, which checks each load and store.
 * @param {number} count */
export const tries = (count) => ('guarded' in globalThis && !full ? Math.ceil(count / 5) : count);

/** Where an element comes in the order of this sample. @param {number | string} i */
const rank = (i) => createHash('sha256').update(`${number} ${i}`).digest('hex');

/**
 * Some of a list, in its order: others with each SAMPLE, all with FULL=1.
 * @template T
 * @param {readonly T[]} list
 * @param {number} count
 * @returns {T[]}
 */
export function sample(list, count) {
  if (full || list.length <= count) return [...list];
  const chosen = new Set(
    list
      .map((_, i) => i)
      .sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
      .slice(0, count),
  );
  return list.filter((_, i) => chosen.has(i));
}

/**
 * Whether what takes long is left to another SAMPLE: one of three or so tries it, and always FULL=1.
 * @param {string} name
 */
export const isLater = (name) => !full && rank(name) >= '55';

/**
 * Whether a long test is left to another SAMPLE.
 * @param {import('node:test').TestContext} t which is told that it was skipped
 */
export function waits(t) {
  const later = isLater(t.name);
  if (later) t.skip(REASONS.sample);
  return later;
}
