// Adam as ONNX has it. Its epsilon is added to the uncorrected root, so that ours, which is added to the
// corrected one, is larger; and a step 0 corrects nothing, as ours does far from the start.

const FAR = 2 ** 31 - 1;

/** @type {Record<string, import('./index.js').Adapter>} */
export const adam = {
  Adam(gf, attrs, [rate, time, ...rest]) {
    const { alpha = 0.9, beta = 0.999, epsilon = 0 } = attrs;
    const { norm_coefficient: decay = 0, norm_coefficient_post: post = 0 } = attrs;
    const step = time.data[0];
    const options = {
      learningRate: rate.data[0],
      beta1: alpha,
      beta2: beta,
      epsilon: step ? epsilon / Math.sqrt(1 - beta ** step) : epsilon,
      weightDecay: decay,
      step: step || FAR,
    };
    const count = rest.length / 4;
    /** @param {number} i */
    const update = (i) => {
      const [value, grad, m, v] = [0, 1, 2, 3].map((kind) => rest[kind * count + i]);
      return gf.adam({ value, grad, m, v }, options);
    };
    const updated = Array.from({ length: count }, (_, i) => update(i));
    return [
      ...updated.map(({ value }) => gf.scale(value, 1 - post)),
      ...updated.map(({ m }) => m),
      ...updated.map(({ v }) => v),
    ];
  },
};
