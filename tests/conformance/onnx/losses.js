// Losses; the classes are axis 1.

/** @param {any} attrs @param {any} weights */
const options = ({ reduction, ignore_index: ignoreIndex }, weights) => ({
  axis: 1,
  weights,
  reduction,
  ignoreIndex,
});

/** @type {Record<string, import('./index.js').Adapter>} */
export const losses = {
  NegativeLogLikelihoodLoss: (gf, attrs, [x, targets, weights]) => [
    gf.nllLoss(x, targets, options(attrs, weights)),
  ],
  SoftmaxCrossEntropyLoss: (gf, attrs, [x, targets, weights]) => [
    gf.crossEntropy(x, targets, options(attrs, weights)),
    gf.logSoftmax(x, { axis: 1 }),
  ],
};
