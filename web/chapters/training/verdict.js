// Which of two runs did better, and since when: computed from what was measured.

/** @typedef {import('./record.js').Record} Record */
/** @typedef {import('../../workers/trainer/protocol.js').Evaluation} Evaluation */
/** @typedef {import('../../workers/trainer/protocol.js').Side} Side */
/**
 * @typedef {object} Verdict
 * @property {number} step at which both were tried last
 * @property {Evaluation} a
 * @property {Evaluation} b
 * @property {Side | null} better the one with the smaller loss, or with more right answers; null if they are alike
 * @property {number | null} earlier the step at which the better one had come to what the other has now, from where it began
 */

/** Losses or answers this close, relative to each other, are alike. */
const ALIKE_WITHIN = 0.02;
/** A run whose loss is so many times the one that it began with diverges. */
export const DIVERGED = 100;

/**
 * Whether a run has come to a far larger loss than the one that it began with.
 * @param {Record} record
 * @param {Evaluation | undefined} tried
 */
export const diverges = ({ evaluations: [first] }, tried) =>
  !!tried && tried.loss > DIVERGED * first.loss;

/**
 * The side with the smaller of two measures; null if they are alike.
 * @param {number} a
 * @param {number} b
 * @returns {Side | null}
 */
export function betterOf(a, b) {
  if (Math.abs(a - b) <= ALIKE_WITHIN * Math.max(a, b)) return null;
  return a < b ? 'a' : 'b';
}

/**
 * @param {Record} a
 * @param {Record} b
 * @param {number} step up to which is looked
 * @param {'loss' | 'right'} [by] what decides
 * @returns {Verdict | null} null if they were not tried at the same step, after some training
 */
export function verdict(a, b, step, by = 'loss') {
  const tried = new Map(b.evaluations.map((evaluation) => [evaluation.step, evaluation]));
  const last = a.evaluations.findLast(
    (evaluation) =>
      evaluation.step > a.first && evaluation.step <= step && tried.has(evaluation.step),
  );
  if (!last) return null;
  const other = /** @type {Evaluation} */ (tried.get(last.step));
  const both = { step: last.step, a: last, b: other };
  const isLess = by === 'loss';
  const better = isLess ? betterOf(last.loss, other.loss) : betterOf(other.right, last.right);
  if (!better) return { ...both, better, earlier: null };
  const [winner, level] = better === 'a' ? [a, other[by]] : [b, last[by]];
  const first = winner.evaluations.find((tried) =>
    isLess ? tried.loss <= level : tried.right >= level,
  );
  const isReached = first && first.step > winner.first && first.step < last.step;
  const earlier = isReached ? first.step : null;
  return { ...both, better, earlier };
}
