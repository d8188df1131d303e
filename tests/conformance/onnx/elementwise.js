// Operators on each number by itself.

/** @type {Record<string, import('./index.js').Adapter>} */
export const elementwise = {
  Relu: (gf, _, [x]) => [gf.relu(x)],
  Sigmoid: (gf, _, [x]) => [gf.sigmoid(x)],
  Tanh: (gf, _, [x]) => [gf.tanh(x)],
  Erf: (gf, _, [x]) => [gf.erf(x)],
  Exp: (gf, _, [x]) => [gf.exp(x)],
  Gelu: (gf, { approximate }, [x]) => [gf.gelu(x, { approximate })],
  Swish: (gf, { alpha }, [x]) => [gf.silu(x, alpha)],
  SwiGLU: (gf, { alpha }, [gate, up]) => [gf.swiglu(gate, up, alpha)],
};

/** Which numbers are dropped is the generator's business. In training the published ones are held to our
 * choice: what is not 0 must be x / (1 - p), and about p of all must be 0.
 * @type {Record<string, import('./index.js').Adapter>} */
export const dropout = {
  Dropout(gf, { seed = 0, ratio: attribute }, [x, ratio, mode], expected) {
    const p = ratio?.data[0] ?? attribute ?? 0.5;
    const training = Boolean(mode?.data[0]);
    const y = gf.dropout(x, { p, training, seed });
    const kept = Uint8Array.from(y.data, (value, i) => Number(value !== 0 || x.data[i] === 0));
    if (training) {
      const dropped = kept.filter((keep) => !keep).length / kept.length;
      if (Math.abs(dropped - p) > 4 / Math.sqrt(kept.length)) {
        throw new Error(`${dropped} of the numbers are dropped instead of ${p}`);
      }
      expected[0].data = Array.from(x.data, (value, i) => (kept[i] ? value / (1 - p) : 0));
      if (expected[1]) expected[1].data = [...kept];
    }
    return [y, { data: kept, shape: x.shape }];
  },
};
