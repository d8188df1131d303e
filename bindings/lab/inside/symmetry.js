// Whether attention weights say everything twice: how far the weight of i for j is from that of j for i.

import { attentionsOf } from './attention.js';
import { Bench, experiment, floatsOf } from './bench.js';
import { headName } from './stream.js';

/** @typedef {import('./bench.js').Inputs} Inputs */
/** @typedef {import('./bench.js').Listener} Listener */
/** @typedef {import('./bench.js').Model} Model */

/** Of the pairs of different positions.
 * @typedef {object} HeadSymmetry
 * @property {string} name
 * @property {string} stack
 * @property {number} layer
 * @property {number} head
 * @property {number | null} difference the mean of |a_ij - a_ji|; null where there are no pairs
 * @property {number | null} share the sum of |a_ij - a_ji| over that of a_ij + a_ji. 0: the two directions say the same.
 *   1: of each pair only one attends to the other. null where none attends
 */

/** @typedef {{ experiment: 'symmetry', heads: HeadSymmetry[] }} Symmetry */

/** @param {Float32Array} data of all heads @param {number} head @param {number} length */
function compare(data, head, length) {
  let [difference, sum] = [0, 0];
  const weight = (/** @type {number} */ i, /** @type {number} */ j) =>
    data[(head * length + i) * length + j];
  for (let i = 0; i < length; i++) {
    for (let j = 0; j < i; j++) {
      difference += Math.abs(weight(i, j) - weight(j, i));
      sum += weight(i, j) + weight(j, i);
    }
  }
  const pairs = (length * (length - 1)) / 2;
  return {
    difference: pairs > 0 ? difference / pairs : null,
    share: sum > 0 ? difference / sum : null,
  };
}

/** For each head of the self-attentions, how far the attention weight of one position for another is from the weight in
 * the other direction. A text of one token has no pairs.
 * @param {Model} model @param {Inputs} inputs of one sequence @param {Listener} [options]
 * @returns {Promise<Symmetry>}
 * @example
 * import { symmetry } from 'glassformer/inside';
 *
 * const model = gf.model({ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 1, maxLength: 16 });
 * const { heads } = await symmetry(model, { target: [1, 2, 3] });
 * heads.map(({ name }) => name); // = ['layer 0 head 0', 'layer 0 head 1']
 * heads[0].share; // = 1
 * model.dispose(); */
export function symmetry(model, inputs, options = {}) {
  const where = 'symmetry';
  return experiment(where, options, [], function* (use) {
    const bench = use(new Bench(where, model, inputs));
    yield* bench.running();
    const heads = attentionsOf(bench)
      .filter(({ part }) => part === 'self_attn')
      .flatMap(({ stack, layer, heads: count, weights }) =>
        Array.from({ length: count }, (_, head) => ({
          name: headName(bench, weights, head),
          ...{ stack, layer, head },
          ...compare(floatsOf(weights), head, weights.shape[2]),
        })),
      );
    return { experiment: /** @type {const} */ ('symmetry'), heads };
  });
}
