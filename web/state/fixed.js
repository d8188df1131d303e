// A trace that is only to be looked at: its numbers came from elsewhere, and nothing computes them again.

/**
 * @param {import('../session.js').Step[]} steps
 * @param {(name: string) => import('../session.js').Step} step
 * @returns {import('../session.js').Trace}
 */
export const fixedTrace = (steps, step) => ({
  steps,
  step,
  removable: [],
  printed: {},
  mismatches: [],
  asides: [],
  gradient: () => {},
  nudge: null,
  dispose: () => {},
  fixed: true,
});
