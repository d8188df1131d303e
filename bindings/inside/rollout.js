// Attention rollout: what reaches each position from each token, if every layer passes half of its input on and mixes
// the other half by the mean of its heads' weights (Abnar and Zuidema 2020, "Quantifying Attention Flow").

import { attentionsOf } from './attention.js';
import { Bench, experiment, floatsOf } from './bench.js';
import { prefixOf } from './stream.js';

/** @typedef {import('./bench.js').Inputs} Inputs */
/** @typedef {import('./bench.js').Listener} Listener */
/** @typedef {import('./bench.js').Model} Model */
/** @typedef {import('./lens.js').Grid} Grid */

/** After a layer: values[i][j] is the share of position i that comes from token j.
 * @typedef {{ name: string, stack: string, layer: number, grid: Grid }} RolloutLayer */

/** @typedef {{ experiment: 'rollout', layers: RolloutLayer[], check: { rowSums: number } }} Rollout
 *   rowSums: how far a sum of a row is from 1, at most */

/** (A + I) / 2, A being the mean of the heads' weights.
 * @param {Float32Array} weights @param {number} heads @param {number} length */
const halved = (weights, heads, length) =>
  Array.from({ length }, (_, i) =>
    Array.from({ length }, (_, j) => {
      let sum = 0;
      for (let h = 0; h < heads; h++) sum += weights[(h * length + i) * length + j];
      return (sum / heads + Number(i === j)) / 2;
    }),
  );

/** @param {number[][]} a @param {number[][]} b */
const product = (a, b) =>
  a.map((row) => b[0].map((_, j) => row.reduce((sum, value, k) => sum + value * b[k][j], 0)));

/** What reaches each position from each token through the self-attention of the layers: (A + I) / 2 of each layer,
 * multiplied through, A being the mean over its heads.
 * @param {Model} model @param {Inputs} inputs of one sequence @param {Listener} [options]
 * @returns {Promise<Rollout | undefined>}
 * @example
 * import { rollout } from 'glassformer/inside';
 *
 * const model = gf.model({ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 2, maxLength: 16 });
 * const { layers, check } = await rollout(model, { target: [1, 2, 3] });
 * layers[1].grid.values[0]; // = [1, 0, 0]
 * check.rowSums < 1e-6; // = true
 * model.dispose(); */
export function rollout(model, inputs, options = {}) {
  return experiment('rollout', options, [], function* () {
    const bench = new Bench('rollout', model, inputs);
    try {
      bench.run();
      yield 0.5;
      /** @type {RolloutLayer[]} */
      const layers = [];
      for (const { stack, layer, part, heads, weights } of attentionsOf(bench)) {
        if (part !== 'self_attn') continue;
        const length = weights.shape[2];
        const own = halved(floatsOf(weights), heads, length);
        const before = layers[layers.length - 1];
        const values = before?.stack === stack ? product(own, before.grid.values) : own;
        const labels = values.map((_, i) => String(i));
        const axes = /** @type {const} */ ([
          { name: 'position', labels },
          { name: 'token', labels },
        ]);
        const name = `${prefixOf(bench, stack)}layer ${layer}`;
        layers.push({ name, stack, layer, grid: { axes, values, unit: 'share' } });
      }
      const sums = layers.flatMap(({ grid }) =>
        grid.values.map((row) => row.reduce((sum, value) => sum + value, 0)),
      );
      const rowSums = sums.reduce((most, sum) => Math.max(most, Math.abs(sum - 1)), 0);
      return { experiment: /** @type {const} */ ('rollout'), layers, check: { rowSums } };
    } finally {
      bench.dispose();
    }
  });
}
