// Ops on one or a few tensors.
import { byRule } from './rules.js';

/** @param {(gf: any, given: any) => any} compute */
const of = (compute) => (/** @type {any} */ gf, /** @type {any} */ given) => [
  { what: 'y', actual: compute(gf, given), expected: given.expected },
];

/** A parameter given as one number for all, or in full.
 * @param {any} parameter @param {number} size */
const spread = (parameter, size) =>
  typeof parameter === 'number' ? { data: Array(size).fill(parameter), shape: [size] } : parameter;

/** @type {Record<string, import('./index.js').Adapter>} */
export const ops = {
  softmax: of((gf, { x, axis }) => gf.softmax(x, { axis })),
  log_softmax: of((gf, { x, axis }) => gf.logSoftmax(x, { axis })),
  relu: of((gf, { x }) => gf.relu(x)),
  gelu: of((gf, { x }) => gf.gelu(x)),
  gelu_tanh: of((gf, { x }) => gf.gelu(x, { approximate: 'tanh' })),
  silu: of((gf, { x }) => gf.silu(x)),
  sigmoid: of((gf, { x }) => gf.sigmoid(x)),
  tanh: of((gf, { x }) => gf.tanh(x)),
  erf: of((gf, { x }) => gf.erf(x)),
  exp: of((gf, { x }) => gf.exp(x)),
  layer_norm: of((gf, { x, weight, bias, eps }) => {
    const size = x.shape.at(-1);
    return gf.layerNorm(x, spread(weight, size), spread(bias, size), { epsilon: eps });
  }),
  rms_norm: of((gf, { x, weight, eps }) =>
    gf.rmsNorm(x, spread(weight, x.shape.at(-1)), { epsilon: eps }),
  ),

  /* silu(x W1 + b1) * (x W2 + b2), all weights one number. */
  swiglu_layer: of((gf, { x, weights, bias, expected }) => {
    const [inner, outer] = [x.shape.at(-1), expected.shape.at(-1)];
    const w = { data: Array(inner * outer).fill(weights), shape: [inner, outer] };
    const part = gf.linear(x, w, spread(bias, outer));
    return gf.swiglu(part, part);
  }),

  attention(gf, given) {
    const { q, k, v, heads, scale, mask, causal } = given;
    const { output, weights } = gf.attention({ q, k, v, heads, scale, mask, causal });
    const { expected, expected_weights: due } = given;
    /* A batch of one head: the data leaves the head's dimension out. */
    const flat = due && { ...weights, shape: due.shape };
    return [
      { what: 'y', actual: output, expected },
      ...(due ? [{ what: 'weights', actual: flat, expected: due }] : []),
    ];
  },

  /* Every head's projections are the identity; the output's column o sums what head o mixed. */
  mha_identity(gf, given) {
    const { q, k, heads, key_dim: width } = given;
    const v = given.v ?? byRule(given.v_rule);
    const size = heads * width;
    const identities = {
      data: Float32Array.from({ length: width * size }, (_, i) =>
        Number(Math.floor(i / size) === i % width),
      ),
      shape: [width, size],
    };
    const sums = {
      data: Float32Array.from({ length: size * heads }, (_, i) =>
        Number(Math.floor(i / heads / width) === i % heads),
      ),
      shape: [size, heads],
    };
    const [a, b, c] = [q, k, v].map((x) => gf.linear(x, identities));
    const { output, weights } = gf.attention({ q: a, k: b, v: c, heads });
    const y = gf.linear(output, sums);
    const time = q.shape[1];
    const rows = given.expected_rows.flatMap((value) => Array(heads).fill(value));
    const cells = Array.from({ length: heads * time * time }, (_, i) => {
      const [row, column] = [Math.floor(i / time) % time, i % time];
      return row === column ? given.expected_diag : given.expected_offdiag;
    });
    return [
      { what: 'y', actual: y, expected: { data: rows, shape: [1, time, heads] } },
      { what: 'weights', actual: weights, expected: { data: cells, shape: weights.shape } },
    ];
  },
};
