// What edits changed: a trace beside the same one before them.

import { cellKey, numberAt, offset, sizeOf } from '../../stage/draw/tensor.js';

/** @typedef {import('../session.js').Step} Step */
/** @typedef {import('../session.js').Trace} Trace */

/**
 * The number that a cell had before the edits; null if it is the same, or the step has another shape.
 * @param {Step} step
 * @param {Step} before
 * @param {number} flat
 */
function oldOf(step, before, flat) {
  if (sizeOf(before) !== sizeOf(step)) return null;
  const old = numberAt(before, flat);
  return Object.is(old, numberAt(step, flat)) ? null : old;
}

/**
 * How many numbers are others than before; none if they have another shape.
 * @param {ArrayLike<number>} now
 * @param {ArrayLike<number>} before
 */
function others(now, before) {
  if (before.length !== now.length) return 0;
  let count = 0;
  for (let i = 0; i < now.length; i++) if (!Object.is(now[i], before[i])) count++;
  return count;
}

/** @type {ReadonlyMap<string, number>} */
const NO_OVERWRITES = new Map();

/**
 * Counts how many numbers of each computed step are others than before. Pauses after each: a large model has millions.
 * @param {Map<Step, number>} counts
 * @param {Trace} trace
 * @param {Trace | null | undefined} before the same without the edits
 */
export function* counting(counts, trace, before) {
  for (const step of before ? trace.steps : []) {
    if (step.kind !== 'op') continue;
    const old = /** @type {Trace} */ (before).step(step.name);
    const count = others(step.data, old.data);
    if (count > 0) counts.set(step, count);
    yield;
  }
}

/**
 * @param {Trace} trace
 * @param {Trace | null | undefined} before the same without the edits
 * @param {ReadonlyMap<string, number>} [over] what was written over in what both share, by its cells
 * @param {ReadonlyMap<Step, number>} [counted] of each computed step, how many numbers are others than before
 */
export function changesOf(trace, before, over = NO_OVERWRITES, counted = undefined) {
  const counts = new Map(counted);
  if (!counted) Array.from(counting(counts, trace, before));
  return {
    counts,
    /** @param {Step} step @param {import('../../stage/draw/tensor.js').Cell} cell */
    old(step, cell) {
      if (!before) return null;
      const flat = offset(step.shape, cell.index);
      const was = over.get(cellKey(cell));
      if (was === undefined) return oldOf(step, before.step(step.name), flat);
      return Object.is(was, step.data[flat]) ? null : was;
    },
  };
}
