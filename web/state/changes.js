// What edits changed: a trace beside the same one before them.

/** @typedef {import('../session.js').Step} Step */
/** @typedef {import('../session.js').Trace} Trace */

/**
 * The number that a cell had before the edits; null if it is the same, or the step has another shape.
 * @param {Step} step
 * @param {Step} before
 * @param {number} flat
 */
function oldOf(step, before, flat) {
  if (before.data.length !== step.data.length) return null;
  const old = before.data[flat];
  return Object.is(old, step.data[flat]) ? null : old;
}

/**
 * @param {Trace} trace
 * @param {Trace | null | undefined} before the same without the edits
 */
export function changesOf(trace, before) {
  /** How many numbers of each computed step are others than before. @type {Map<Step, number>} */
  const counts = new Map();
  for (const step of before ? trace.steps : []) {
    if (step.kind !== 'op') continue;
    const old = /** @type {Trace} */ (before).step(step.name);
    let count = 0;
    for (let flat = 0; flat < step.data.length; flat++) {
      if (oldOf(step, old, flat) !== null) count++;
    }
    if (count > 0) counts.set(step, count);
  }
  return {
    counts,
    /** @param {Step} step @param {number} flat */
    old: (step, flat) => (before ? oldOf(step, before.step(step.name), flat) : null),
  };
}
