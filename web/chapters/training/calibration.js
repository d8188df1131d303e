// How far what a model is sure of is right: the probabilities of its likeliest tokens against how often these are right.

/** @typedef {import('../../workers/trainer/protocol.js').Evaluation} Evaluation */
/** @typedef {{ sure: number, right: number, count: number }} Bin the means of tokens of like probability, and how many */

/** As many classes as usual: 0 to 0.1, 0.1 to 0.2, … */
const BINS = 10;

/**
 * The calibration of held-out tokens. error: how far apart both are in a class, averaged over the tokens (Guo et al.,
 * 2017: expected calibration error). Null where a run diverged.
 * @param {Pick<Evaluation, 'certain' | 'hits'>} evaluation
 */
export function calibrationOf({ certain, hits }) {
  /** @type {Bin[]} */
  const sums = Array.from({ length: BINS }, () => ({ sure: 0, right: 0, count: 0 }));
  for (const [i, probability] of certain.entries()) {
    const sum = sums[Math.min(BINS - 1, Math.floor(BINS * probability))];
    if (!sum) return null;
    sum.sure += probability;
    sum.right += hits[i];
    sum.count++;
  }
  const all = certain.length;
  const mean = sums.reduce((total, { sure }) => total + sure, 0) / all;
  const error = sums.reduce((total, { sure, right }) => total + Math.abs(sure - right), 0) / all;
  const bins = sums
    .filter(({ count }) => count > 0)
    .map(({ sure, right, count }) => ({ sure: sure / count, right: right / count, count }));
  return { bins, mean, error };
}
