// The rows of a table of embeddings that point most nearly the way of another row.

import { checkArray, checkInteger } from '../../js/base/errors.js';
import { Bench, experiment } from './bench.js';
import { cosineOf } from './cosine.js';
import { typeError } from './texts.js';

/** @typedef {import('./bench.js').Listener} Listener */
/** @typedef {import('./bench.js').Model} Model */

/**
 * @typedef {object} NeighbourOptions
 * @property {number} token whose neighbours are wanted
 * @property {number} [top] how many: 8 by default, or all of fewer
 * @property {readonly number[]} [among] the tokens to choose from; all by default
 */

/** neighbours: the nearest first; cosine in float64.
 * @typedef {{ experiment: 'neighbours', token: number, neighbours: { token: number, cosine: number }[] }} Neighbours */

const DEFAULT_TOP = 8;
/** Cosines between two pauses. */
const ROWS = 1024;

/** By what neighbours are sorted: a row of zeros, whose cosine is NaN, comes last. @param {{ cosine: number }} neighbour */
const rankOf = ({ cosine }) => (Number.isNaN(cosine) ? -2 : cosine);

/** The tokens whose rows in the model's table of embeddings have the smallest angle to that of a token. Of a model with a
 * table for each sequence, that of the source.
 * @param {Model} model @param {NeighbourOptions & Listener} options
 * @returns {Promise<Neighbours>}
 * @example
 * import { neighbours } from 'glassformer/inside';
 *
 * const model = gf.model({ kind: 'gpt', vocab: 3, dModel: 2, heads: 1, layers: 1, maxLength: 4 });
 * model.parameters.get('embedding.weight').data.set([1, 0, 0, 1, 3, 3]);
 * const found = await neighbours(model, { token: 0 });
 * found.neighbours.map(({ token }) => token); // = [2, 1]
 * Math.abs(found.neighbours[0].cosine - Math.SQRT1_2) < 1e-7; // = true
 * model.dispose(); */
export function neighbours(model, options) {
  const where = 'neighbours';
  return experiment(
    where,
    options,
    ['token', 'top', 'among'],
    function* (use, { top: count, among }) {
      const source = Object(model).config?.kind === 'transformer' && { source: [0] };
      const bench = use(new Bench(where, model, { target: [0], ...source }));
      const table = bench.nodes.find(({ role, kind }) => role === 'embedding' && kind === 'op')
        ?.inputs[0];
      if (!table) throw typeError('noTable', { where });
      const [vocab, width] = table.shape;
      const token = checkInteger(`${where}: token`, options.token, 0, vocab - 1);
      const top = count ?? Math.min(DEFAULT_TOP, vocab);
      checkInteger(`${where}: top`, top, 1, vocab);
      const data = bench.weights(table);
      const rowOf = (/** @type {number} */ id) => data.subarray(id * width, (id + 1) * width);
      if (among !== undefined) checkArray(`${where}: among`, among);
      for (const [i, id] of (among ?? []).entries())
        checkInteger(`${where}: among[${i}]`, id, 0, vocab - 1);
      /** @type {{ token: number, cosine: number }[]} */
      const all = [];
      for (const id of among ?? Array(vocab).keys()) {
        if (id === token) continue;
        all.push({ token: id, cosine: cosineOf(rowOf(token), rowOf(id)) });
        if (all.length % ROWS === 0) yield all.length / vocab;
      }
      return {
        experiment: /** @type {const} */ ('neighbours'),
        token,
        neighbours: all.sort((a, b) => rankOf(b) - rankOf(a)).slice(0, top),
      };
    },
  );
}
