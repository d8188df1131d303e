// A read-only trace: its numbers were computed elsewhere, and nothing computes them again.

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
