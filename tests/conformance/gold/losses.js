// Losses, and their gradients.

/** @param {any} gf @param {any} given logits and targets on a tape: per row, with the gradient of the sum */
function gradientOf(
  gf,
  { logits, target, target_probs: soft, weight, label_smoothing: labelSmoothing },
) {
  const tape = gf.tape();
  try {
    const x = tape.input('logits', logits.shape);
    const targets = soft ? tape.input('targets', soft.shape) : tape.ids('targets', [target.length]);
    const weights = weight && tape.input('weights', [weight.length]);
    const loss = tape.crossEntropy(
      x,
      targets,
      { weights, reduction: 'sum', labelSmoothing },
      'loss',
    );
    tape.plan();
    x.set(logits);
    targets.set(soft ?? target);
    weights?.set(weight);
    tape.forward();
    tape.backward(loss);
    return { data: x.grad.slice(), shape: x.shape };
  } finally {
    tape.dispose();
  }
}

/** @param {any} loss a tensor; the data has bare numbers and lists */
const bare = (loss) => (loss.shape.length ? Array.from(loss.data) : loss.data[0]);

/** @type {Record<string, import('./index.js').Adapter>} */
export const losses = {
  cross_entropy(gf, given) {
    const { logits, target, target_probs: soft, sample_weight: samples, expected } = given;
    const options = {
      weights: given.weight,
      ignoreIndex: given.ignore_index,
      labelSmoothing: given.label_smoothing,
      reduction: samples ? 'none' : given.reduction,
    };
    let loss = bare(gf.crossEntropy(logits, soft ?? target, options));
    /* Keras: the mean over the batch of each row's loss times its weight. */
    if (samples) loss = gf.scale(gf.matmul(loss, samples), 1 / samples.length);
    const { expected_grad: due } = given;
    return [
      { what: 'loss', actual: loss, expected },
      ...(due ? [{ what: 'gradient', actual: gradientOf(gf, given), expected: due }] : []),
    ];
  },

  nll_loss(gf, { log_probs: x, target, weight, reduction, ignore_index: ignoreIndex, expected }) {
    const loss = gf.nllLoss(x, target, { weights: weight, reduction, ignoreIndex });
    return [{ what: 'loss', actual: bare(loss), expected }];
  },
};
