// Attention rollout: what reaches each position from each token, if every layer passes half of its input on and mixes
// the other half by the mean of its heads' weights (Abnar and Zuidema 2020, "Quantifying Attention Flow").

import { checkBoolean } from '../../js/base/errors.js';
import { attentionsOf } from './attention.js';
import { Bench, experiment, floatsOf } from './bench.js';
import { flowThrough } from './flow.js';
import { gridOf } from './lens.js';
import { prefixOf } from './stream.js';

/** @typedef {import('./bench.js').Inputs} Inputs */
/** @typedef {import('./bench.js').Listener} Listener */
/** @typedef {import('./bench.js').Model} Model */
/** @typedef {import('./lens.js').Grid} Grid */

/** @typedef {{ flow?: boolean }} RolloutOptions flow: whether the attention flow is computed, too */

/** After a layer: values[i][j] is the share of position i that comes from token j. flow: as much as can get from token j to
 * position i, if each weight is a pipe that holds as much; null unless the option asks for it.
 * @typedef {{ name: string, stack: string, layer: number, grid: Grid, flow: Grid | null }} RolloutLayer */

/** @typedef {{ experiment: 'rollout', layers: RolloutLayer[], check: { rowSums: number, cut: number | null } }} Rollout
 *   check: rowSums says how far a sum of a row is from 1, at most; cut, how far a flow is from the smallest cut, at most, or null
 *   without flow */

/** The run's share of the work. */
const RUN_SHARE = 0.5;

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

/** Pauses after each row.
 * @param {number[][]} a @param {number[][]} b @param {number} done which part of the work is
 * @returns {Generator<number, number[][]>} */
function* product(a, b, done) {
  const rows = [];
  for (const row of a) {
    rows.push(b[0].map((_, j) => row.reduce((sum, value, k) => sum + value * b[k][j], 0)));
    yield done;
  }
  return rows;
}

/** What reaches each position from each token through the self-attention of the layers: (A + I) / 2 of each layer,
 * multiplied through, A being the mean over its heads.
 * @param {Model} model @param {Inputs} inputs of one sequence @param {RolloutOptions & Listener} [options]
 * @returns {Promise<Rollout>}
 * @example
 * import { rollout } from 'glassformer/inside';
 *
 * const model = gf.model({ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 2, maxLength: 16 });
 * const { layers, check } = await rollout(model, { target: [1, 2, 3] });
 * layers[1].grid.values[0]; // = [1, 0, 0]
 * check.rowSums < 1e-6; // = true
 * const flows = await rollout(model, { target: [1, 2, 3] }, { flow: true });
 * flows.layers[1].flow?.values[0]; // = [1, 0, 0]
 * model.dispose(); */
export function rollout(model, inputs, options = {}) {
  return experiment('rollout', options, ['flow'], function* (use, options) {
    const { flow: isAsked = false } = options;
    checkBoolean('rollout: flow', isAsked);
    const bench = use(new Bench('rollout', model, inputs));
    yield* bench.running();
    yield RUN_SHARE;
    /** @type {RolloutLayer[]} */
    const layers = [];
    /** Those of one stack. @type {number[][][]} */
    let below = [];
    let cut = 0;
    for (const { stack, layer, part, heads, weights } of attentionsOf(bench)) {
      if (part !== 'self_attn') continue;
      const length = weights.shape[2];
      const mixing = halved(floatsOf(weights), heads, length);
      const before = layers[layers.length - 1];
      const goesOn = before?.stack === stack;
      const values = goesOn ? yield* product(mixing, before.grid.values, RUN_SHARE) : mixing;
      below = goesOn ? [...below, mixing] : [mixing];
      const labels = values.map((_, i) => String(i));
      const grid = (/** @type {number[][]} */ numbers, /** @type {string} */ unit) =>
        gridOf(numbers, unit, ['position', labels], ['token', labels]);
      const name = `${prefixOf(bench, stack)}layer ${layer}`;
      const flow = isAsked ? yield* flowThrough(below) : null;
      cut = Math.max(cut, flow?.cut ?? 0);
      layers.push({
        ...{ name, stack, layer, grid: grid(values, 'share') },
        flow: flow && grid(flow.values, 'flow'),
      });
    }
    const sums = layers.flatMap(({ grid }) =>
      grid.values.map((row) => row.reduce((sum, value) => sum + value, 0)),
    );
    const rowSums = sums.reduce((most, sum) => Math.max(most, Math.abs(sum - 1)), 0);
    return {
      experiment: /** @type {const} */ ('rollout'),
      layers,
      check: { rowSums, cut: isAsked ? cut : null },
    };
  });
}
