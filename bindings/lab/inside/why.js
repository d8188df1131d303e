// Why does a head attend: one score as a sum over pairs, a part of the query times a part of the key.

import { checkInteger } from '../../js/base/errors.js';
import { attentionAt } from './attention.js';
import { Bench, experiment, floatsOf } from './bench.js';
import { gridOf } from './lens.js';
import { checkPosition } from './metric.js';
import { boundOf, depthOf, portionsOf, through } from './parts.js';

/** @typedef {import('./attribution.js').Sum<{ query: number, key: number }>} Pairs */
/** @typedef {import('./bench.js').Inputs} Inputs */
/** @typedef {import('./bench.js').Listener} Listener */
/** @typedef {import('./bench.js').Model} Model */
/** @typedef {import('./lens.js').Grid} Grid */
/** @typedef {import('./parts.js').Origin} Origin */
/** @typedef {import('./parts.js').Portion} Portion */
/** @typedef {import('../../js/tape/tensor.js').Tensor} Tensor */

/** @typedef {import('./attention.js').AttentionPlace & { head: number, query?: number, key?: number }} WhyOptions query and key: positions, from 0;
 *   negative ones count from the end; the last query and the first key by default */

/** parts: each a part of the query times one of the key; its numbers are their places in queries and keys.
 * @typedef {Pairs & { experiment: 'why', layer: number, head: number, query: number, key: number, hidden: boolean,
 *   queries: Origin[], keys: Origin[], grid: Grid }} Why
 *   hidden: whether the mask hides this key from this query; the score is the scaled one before the mask */

const OPTIONS = ['layer', 'stack', 'part', 'head', 'query', 'key'];
/** Turned by its position, as the rotation turns queries and keys.
 * @param {Portion} part @param {Float32Array} row cosines and sines of the position @param {boolean} interleaved
 * @returns {Portion} */
function rotated({ origin, values, depth }, row, interleaved) {
  const turned = values.slice();
  const pairs = row.length / 2;
  for (let i = 0; i < pairs; i++) {
    const [u, v] = interleaved ? [2 * i, 2 * i + 1] : [i, i + pairs];
    const [cosine, sine] = [row[2 * i], row[2 * i + 1]];
    turned[u] = values[u] * cosine - values[v] * sine;
    turned[v] = values[v] * cosine + values[u] * sine;
  }
  return { origin, values: turned, depth: depth + 2 };
}

/** The parts of a head's query or key at a token.
 * @param {Bench} bench @param {Tensor} node [1,H,T,D] @param {number} token @param {number} head
 * @returns {Generator<number, Portion[]>} */
function* partsOf(bench, node, token, head) {
  const [x, rotation] = /** @type {Tensor[]} */ (node.inputs);
  if (node.bypassed !== null) return yield* partsOf(bench, x, token, head);
  if (node.op === 'rope') {
    const width = rotation.size / rotation.shape[0];
    const row = floatsOf(rotation).subarray(token * width, (token + 1) * width);
    const interleaved = node.attributes.interleaved !== 0;
    return (yield* partsOf(bench, x, token, head)).map((part) => rotated(part, row, interleaved));
  }
  const width = node.shape[3];
  const [from] = /** @type {Tensor[]} */ (x.inputs);
  const parts = yield* portionsOf(bench, from, token);
  return yield* through(bench, parts, x, head * width, (head + 1) * width);
}

/** @param {Portion[]} queries @param {Portion[]} keys @param {number} factor */
function pairs(queries, keys, factor) {
  return queries.map(({ values: q }) =>
    keys.map(({ values: k }) => factor * q.reduce((sum, value, d) => sum + value * k[d], 0)),
  );
}

/** Per channel, without signs.
 * @param {Portion[]} parts */
const sizeOf = (parts) =>
  parts[0].values.map((_, d) => parts.reduce((sum, { values }) => sum + Math.abs(values[d]), 0));

/** One scaled score as the sum over all pairs of a part of the query and a part of the key.
 * @param {Model} model @param {Inputs} inputs of one sequence @param {WhyOptions & Listener} options
 * @returns {Promise<Why>}
 * @example
 * import { why } from 'glassformer/inside';
 *
 * const model = gf.model({ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 1, maxLength: 16 });
 * const told = await why(model, { target: [1, 2, 3] }, { layer: 0, head: 1, query: 2, key: 0 });
 * told.parts[1].name; // = 'embedding × position'
 * Math.abs(told.sum - told.total) <= told.bound; // = true
 * model.dispose(); */
export function why(model, inputs, options) {
  return experiment('why', options, OPTIONS, function* (use, options) {
    const bench = use(new Bench('why', model, inputs));
    const { scores, scaled, masked } = attentionAt(bench, options);
    const [, heads, queryCount, keyCount] = scores.shape;
    const { layer, head } = options;
    checkInteger('why: head', head, 0, heads - 1);
    const query = checkPosition('why: query', options.query, queryCount);
    const key = checkPosition('why: key', options.key ?? 0, keyCount);
    yield* bench.running();
    yield 0.5;
    const [q, k] = /** @type {Tensor[]} */ (scores.inputs);
    const factor = scaled.bypassed === null ? scaled.attributes.factor : 1;
    const queries = yield* partsOf(bench, q, query, head);
    const keys = yield* partsOf(bench, k, key, Math.floor((head * k.shape[1]) / heads));
    yield 0.8;
    const values = pairs(queries, keys, factor);
    yield 0.9;
    const [ofQuery, ofKey] = [sizeOf(queries), sizeOf(keys)];
    const size = Math.abs(factor) * ofQuery.reduce((sum, value, d) => sum + value * ofKey[d], 0);
    const place = (head * queryCount + query) * keyCount + key;
    const parts = values.flatMap((row, i) =>
      row.map((value, j) => ({
        name: `${queries[i].origin.name} × ${keys[j].origin.name}`,
        query: i,
        key: j,
        value,
      })),
    );
    const labels = (/** @type {Portion[]} */ list) => list.map(({ origin }) => origin.name);
    return {
      experiment: /** @type {const} */ ('why'),
      ...{ layer, head, query, key },
      hidden: floatsOf(masked)[place] === Number.NEGATIVE_INFINITY,
      queries: queries.map(({ origin }) => origin),
      keys: keys.map(({ origin }) => origin),
      parts,
      total: floatsOf(scaled)[place],
      sum: parts.reduce((sum, { value }) => sum + value, 0),
      bound: boundOf(depthOf(queries) + depthOf(keys) + ofQuery.length + 2, size),
      grid: gridOf(
        values,
        'score',
        ['part of the query', labels(queries)],
        ['part of the key', labels(keys)],
      ),
    };
  });
}
