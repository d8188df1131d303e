// Operators along axes.

/** @param {any} tensor a list of numbers, or nothing */
const list = (tensor) => (tensor ? Array.from(tensor.data) : undefined);

/** @type {Record<string, import('./index.js').Adapter>} */
export const rows = {
  Softmax: (gf, { axis }, [x]) => [gf.softmax(x, { axis })],
  LogSoftmax: (gf, { axis }, [x]) => [gf.logSoftmax(x, { axis })],

  LayerNormalization(gf, { axis, epsilon }, [x, gain, bias]) {
    const { mean, invStdDev } = gf.moments(x, { axis, epsilon });
    return [gf.layerNorm(x, gain, bias, { axis, epsilon }), mean, invStdDev];
  },
  RMSNormalization: (gf, { axis, epsilon }, [x, gain]) => [gf.rmsNorm(x, gain, { axis, epsilon })],

  ReduceLogSumExp(gf, attrs, [x, axes]) {
    const { keepdims = 1, noop_with_empty_axes: keep = 0 } = attrs;
    const given = list(axes) ?? attrs.axes ?? [];
    const axis = given.length || keep ? given : undefined;
    return [gf.logSumExp(x, { axis, keepDims: Boolean(keepdims) })];
  },

  TopK(gf, { axis, largest = 1, k: attribute }, [x, k]) {
    const options = { axis, largest: Boolean(largest) };
    const { values, indices } = gf.topK(x, k?.data[0] ?? attribute, options);
    return [values, indices];
  },
};
