// What a heat map asks of a view, where nothing is edited, hidden or animated.

/** @type {never[]} */
const NONE = [];

/**
 * @param {object} options
 * @param {'light' | 'dark'} options.theme
 * @param {number} [options.limit] fills of values span [-limit, limit]
 * @param {number} [options.slope] fills of gradients
 * @param {boolean} [options.gradient] whether gradients are shown in place of values
 * @param {import('../../stage/draw/tensor.js').Cell | null} [options.focus]
 */
export const heatmapView = ({ theme, limit = 1, slope = 1, gradient = false, focus = null }) => ({
  theme,
  limitOf: () => limit,
  slope,
  focus,
  state: { gradient, edits: NONE },
  known: () => Number.POSITIVE_INFINITY,
  operands: [],
  term: 0,
  pinned: null,
  hover: null,
  edited: new Set(),
  mismatches: new Map(),
  old: () => null,
  differing: new Set(),
});

/**
 * The largest finite size.
 * @param {ArrayLike<number> | null} values
 */
export function largest(values) {
  let most = 0;
  for (const value of Array.from(values ?? [])) {
    if (Number.isFinite(value)) most = Math.max(most, Math.abs(value));
  }
  return most || 1;
}
