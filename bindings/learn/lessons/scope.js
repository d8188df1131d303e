// What the expressions of a scene read.

/** @typedef {{ name: string, shape: readonly number[], data: ArrayLike<number>, inputs?: readonly (string | null)[], role?: string | null,
 *   part?: string | null, op?: string, bypassed?: unknown }} Numbers */

/** The attention by which each token is written: of the last layer, averaged over its heads.
 * @param {readonly Numbers[]} steps
 * @returns {Numbers | undefined} */
function attentionIn(steps) {
  const weights = steps.findLast(({ role, part }) => role === 'weight' && part === 'cross_attn');
  if (!weights) return undefined;
  const [heads, rows, columns] = weights.shape;
  const data = Float64Array.from({ length: rows * columns }, (_, i) => {
    let sum = 0;
    for (let head = 0; head < heads; head++) sum += weights.data[head * rows * columns + i];
    return sum / heads;
  });
  return { name: 'attention', op: weights.op, shape: [rows, columns], data };
}

/** What the expressions of a scene read.
 * @param {readonly Numbers[]} steps
 * @param {Record<string, readonly string[]>} words
 * @returns {import('./expression.js').Scope} */
export function scopeOf(steps, words) {
  const attention = attentionIn(steps);
  return {
    words,
    names: [...steps.map(({ name }) => name), ...(attention ? ['attention'] : [])],
    step: (name) => (name === 'attention' ? attention : steps.find((step) => step.name === name)),
  };
}
