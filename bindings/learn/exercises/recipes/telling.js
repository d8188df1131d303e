// How many decimals a recipe needs so that drawn numbers can tell its known mistakes apart: with fewer, bands are as wide as weights
// and probabilities are. Three more need one more decimal where the end alone is asked.

const TWO = [
  ...['softmax-row', 'weights', 'one-query', 'attention', 'attention-scale', 'causal-attention'],
  ...['padding-mask', 'two-heads', 'causal-heads', 'cross-attention', 'cross-entropy'],
  ...['label-smoothing', 'softmax-gradient', 'noam-rate', 'attention-backward', 'induction'],
];
const AT_END = ['layer-norm', 'residual-norm', 'greedy-and-beam'];
const ONE = [...AT_END, 'sinusoid', 'find-head'];

/** @param {string} recipe @param {'steps' | 'faded' | 'end'} level */
export const leastDigits = (recipe, level) =>
  TWO.includes(recipe) || (level === 'end' && AT_END.includes(recipe))
    ? 2
    : Number(ONE.includes(recipe));
