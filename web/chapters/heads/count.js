// What a number of heads costs and gives, counted and measured in a trace.

/** @typedef {import('../../app/session.js').Trace} Trace */
/** @typedef {import('../../app/session.js').Step} Step */
/** @typedef {ReturnType<typeof count>} Count */
/** @typedef {ReturnType<typeof meanCount>} MeanCount draws: how many */

/**
 * @param {Trace} trace
 * @param {number} heads
 */
export function count(trace, heads) {
  const [scores, scaled, weights] = ['scores', 'scores.scaled', 'weights'].map(trace.step, trace);
  const queries = trace.step(heads > 1 ? 'q.heads' : 'q');
  return {
    heads,
    dk: last(queries),
    weights: sum(['w_q', 'w_k', 'w_v', 'w_o'].map((name) => trace.step(name).data.length)),
    work: sum(trace.steps.map((step) => products(step, trace))),
    maps: weights.data.length,
    spread: spread(scores),
    factor: scaled.attributes.factor,
    scaled: spread(scaled),
    entropy: entropy(weights),
  };
}

/** Counts of several draws as one: what was counted is the same in all, what was measured is their mean.
 * @param {Count[]} counts */
export function meanCount(counts) {
  const mean = (/** @type {'spread' | 'scaled' | 'entropy'} */ name) =>
    Math.fround(sum(counts.map((count) => count[name])) / counts.length);
  return {
    ...counts[0],
    ...{ spread: mean('spread'), scaled: mean('scaled'), entropy: mean('entropy') },
    draws: counts.length,
  };
}

/** @param {Step} step */
const last = ({ shape }) => shape[shape.length - 1];

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

/**
 * The multiply-adds of a step: cells of the result times terms of their sums.
 * @param {Step} step
 * @param {Trace} trace
 */
function products({ op, data, inputs }, trace) {
  if (op !== 'linear' && op !== 'matmul') return 0;
  return data.length * last(trace.step(String(inputs[0])));
}

/** The root of the mean square of the scores that a softmax sees. @param {Step} step */
function spread({ data }) {
  return Math.fround(Math.sqrt(sum(Array.from(data, (score) => score * score)) / data.length));
}

/** Mean over the rows, in nats. @param {Step} weights */
function entropy(weights) {
  const parts = Array.from(weights.data, (p) => (p > 0 ? -p * Math.log(p) : 0));
  return Math.fround(sum(parts) / (weights.data.length / last(weights)));
}
