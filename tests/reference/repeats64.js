// The model in which a head is born, in float64: causal attention whose positions are distances, norms before, narrow
// feed-forwards. Written from the formulas, no code shared with the core. Tests hold gradients against its differences.

/** Tensors by name: their rows as one list. @typedef {Record<string, { shape: number[], data: Float64Array }>} Weights */

/** x w + b. @param {number[][]} x @param {Weights[string]} w @param {ArrayLike<number>} [bias] */
const linear = (x, { shape: [rows, columns], data }, bias) =>
  x.map((row) => {
    const y = Array.from({ length: columns }, (_, j) => bias?.[j] ?? 0);
    for (let i = 0; i < rows; i++)
      for (let j = 0; j < columns; j++) y[j] += row[i] * data[i * columns + j];
    return y;
  });

/** @param {number[][]} x @param {ArrayLike<number>} gain @param {ArrayLike<number>} bias */
const norm = (x, gain, bias, epsilon = 1e-5) =>
  x.map((row) => {
    const mean = row.reduce((a, b) => a + b, 0) / row.length;
    const variance = row.reduce((a, b) => a + (b - mean) ** 2, 0) / row.length;
    return row.map((a, i) => ((a - mean) / Math.sqrt(variance + epsilon)) * gain[i] + bias[i]);
  });

const gelu = (/** @type {number} */ x) =>
  0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)));

/** @param {number[][]} a @param {number[][]} b */
const plus = (a, b) => a.map((row, i) => row.map((x, j) => x + b[i][j]));

/** Press et al. 2022, of a power of two heads: 2^(-8 h / H). @param {number[][][]} qkv @param {number} heads */
function attend([q, k, v], heads) {
  const size = q[0].length / heads;
  return q.map((query, i) =>
    Array.from({ length: heads }, (_, head) => {
      const at = head * size;
      const slope = 2 ** ((-8 * (head + 1)) / heads);
      const scores = k.slice(0, i + 1).map((key, j) => {
        let sum = 0;
        for (let d = at; d < at + size; d++) sum += query[d] * key[d];
        return sum / Math.sqrt(size) - slope * (i - j);
      });
      const most = Math.max(...scores);
      const powers = scores.map((score) => Math.exp(score - most));
      const all = powers.reduce((a, b) => a + b, 0);
      return Array.from({ length: size }, (_, d) =>
        powers.reduce((sum, power, j) => sum + (power / all) * v[j][at + d], 0),
      );
    }).flat(),
  );
}

/** The mean cross-entropy of the labels that count.
 * @param {Weights} weights @param {{ target: number[][], labels: number[][] }} batch
 * @param {{ layers: number, heads: number }} config */
export function lossOf(weights, { target, labels }, { layers, heads }) {
  const of = (/** @type {string} */ name) => weights[name].data;
  let [loss, count] = [0, 0];
  for (const [row, ids] of target.entries()) {
    const table = weights['embedding.weight'];
    const width = table.shape[1];
    let x = ids.map((id) => Array.from(table.data.subarray(id * width, (id + 1) * width)));
    for (let layer = 0; layer < layers; layer++) {
      const own = `decoder.layers.${layer}`;
      const mapped = (/** @type {number[][]} */ y, /** @type {string} */ name) =>
        linear(y, weights[`${own}.${name}.weight`], of(`${own}.${name}.bias`));
      const normed = (/** @type {string} */ name) =>
        norm(x, of(`${own}.${name}.weight`), of(`${own}.${name}.bias`));
      const first = normed('norm1');
      const qkv = ['q', 'k', 'v'].map((name) => mapped(first, `self_attn.${name}_proj`));
      x = plus(x, mapped(attend(qkv, heads), 'self_attn.out_proj'));
      const hidden = mapped(normed('norm2'), 'linear1').map((row) => row.map(gelu));
      x = plus(x, mapped(hidden, 'linear2'));
    }
    const last = norm(x, of('decoder.norm.weight'), of('decoder.norm.bias'));
    for (const [t, logits] of linear(last, weights['logits.weight']).entries()) {
      const label = labels[row][t];
      if (label < 0) continue;
      const most = Math.max(...logits);
      const all = logits.reduce((sum, logit) => sum + Math.exp(logit - most), 0);
      loss += Math.log(all) + most - logits[label];
      count += 1;
    }
  }
  return loss / count;
}
