// The circuits of a head over the vocabulary: what it writes when it attends to a token (OV), and how much a token
// attends to another (QK); of the weights alone, without positions, norms and biases.

import { checkArray, checkInteger } from '../../js/base/errors.js';
import { attentionAt, projectionOf } from './attention.js';
import { unembeddingOf } from './attribution.js';
import { Bench, experiment } from './bench.js';
import { gridOf } from './lens.js';
import { boundOf } from './parts.js';
import { rangeError, typeError } from './texts.js';

/** @typedef {import('./attention.js').AttentionPlace} AttentionPlace */
/** @typedef {import('./bench.js').Listener} Listener */
/** @typedef {import('./bench.js').Model} Model */
/** @typedef {import('./lens.js').Grid} Grid */
/** @typedef {import('../../js/tape/tensor.js').Tensor} Tensor */

/** tokens: rows and columns, all by default. @typedef {AttentionPlace & { head: number, tokens?: readonly number[] }} CircuitsOptions */

/**
 * @typedef {object} Circuits
 * @property {'circuits'} experiment
 * @property {number} layer
 * @property {number} head
 * @property {Grid} ov W_E W_V W_O W_U: what is added to the logit of a column, per attention to a row
 * @property {Grid} qk W_E W_Q W_Kᵀ W_Eᵀ: the score, before it is scaled, of a query of a row and a key of a column
 * @property {{ difference: number, bound: number }} check the same products multiplied in another order: the largest
 *   difference, and what it may be
 */

/** Row by row. @typedef {{ data: Float64Array, rows: number, columns: number }} Matrix */

const MAX_TOKENS = 2048;
const OPTIONS = ['layer', 'stack', 'part', 'head', 'tokens'];

/** @param {number} rows @param {number} columns @param {(i: number, j: number) => number} valueAt
 * @returns {Matrix} */
function matrix(rows, columns, valueAt) {
  const data = new Float64Array(rows * columns);
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++) data[i * columns + j] = valueAt(i, j);
  return { data, rows, columns };
}

/** Pauses between rows, where an experiment has done so much of its work.
 * @param {number} done @param {Matrix} a @param {Matrix} b
 * @returns {Generator<number, Matrix>} */
function* multiply(done, a, b) {
  const data = new Float64Array(a.rows * b.columns);
  for (let i = 0; i < a.rows; i++) {
    yield done;
    for (let k = 0; k < a.columns; k++) {
      const factor = a.data[i * a.columns + k];
      for (let j = 0; j < b.columns; j++)
        data[i * b.columns + j] += factor * b.data[k * b.columns + j];
    }
  }
  return { data, rows: a.rows, columns: b.columns };
}

/** @param {Matrix} a */
const transposed = ({ data, rows, columns }) =>
  matrix(columns, rows, (i, j) => data[j * columns + i]);

/** Without signs. @param {Matrix} a */
const absolute = ({ data, ...shape }) => ({ data: data.map(Math.abs), ...shape });

/** A product of four, multiplied in two orders.
 * @param {number} done @param {[Matrix, Matrix, Matrix, Matrix]} factors */
function* inTwoOrders(done, factors) {
  const [a, b, c, d] = factors;
  /** @param {readonly Matrix[]} four */
  function* inPairs([one, two, three, four]) {
    const [left, right] = [yield* multiply(done, one, two), yield* multiply(done, three, four)];
    return yield* multiply(done, left, right);
  }
  const product = yield* inPairs(factors);
  const inner = yield* multiply(done, a, yield* multiply(done, b, c));
  const other = yield* multiply(done, inner, d);
  const sizes = yield* inPairs(factors.map(absolute));
  const depth = a.columns + b.columns + c.columns;
  const largest = (/** @type {(i: number) => number} */ valueAt) =>
    product.data.reduce((most, _, i) => Math.max(most, valueAt(i)), 0);
  return {
    product,
    difference: largest((i) => Math.abs(product.data[i] - other.data[i])),
    /* In float64, whose rounding is 2^-29 of float32's. */
    bound:
      2 *
      boundOf(
        depth,
        largest((i) => sizes.data[i]),
      ) *
      2 ** -29,
  };
}

/** @param {Matrix} product @param {readonly number[]} tokens @param {[string, string]} names @param {string} unit */
function gridOfTokens({ data, columns }, tokens, [row, column], unit) {
  const labels = tokens.map(String);
  const values = tokens.map((_, i) => [...data.subarray(i * columns, (i + 1) * columns)]);
  return gridOf(values, unit, [row, labels], [column, labels]);
}

/** @param {string} where @param {readonly number[] | undefined} tokens @param {number} vocab */
function checkTokens(where, tokens, vocab) {
  const all = tokens ?? Array.from({ length: vocab }, (_, i) => i);
  checkArray(where, all);
  if (all.length === 0 || all.length > MAX_TOKENS)
    throw rangeError('tokenCount', { where, most: MAX_TOKENS, n: all.length });
  for (const [i, id] of all.entries()) checkInteger(`${where}[${i}]`, id, 0, vocab - 1);
  return /** @type {readonly number[]} */ (all);
}

/** The matrices of a head and of the tokens, in float64.
 * @param {Bench} bench
 * @param {{ layer: number, stack: string | null, head: number, shared: number, width: number,
 *   tokens: readonly number[] }} which width: channels of a head; shared: the head of keys and values */
function matricesOf(bench, { layer, stack, head, shared, width, tokens }) {
  const { dModel, vocab } = bench.config;
  const projection = (/** @type {string} */ role) => {
    const node = projectionOf(bench, { stack, layer, part: 'self_attn' }, role);
    const w = /** @type {Tensor} */ (node?.inputs[1]);
    return { data: bench.weights(w), columns: w.shape[1] };
  };
  const columnsOf = (/** @type {string} */ role, /** @type {number} */ h) => {
    const { data, columns } = projection(role);
    return matrix(dModel, width, (i, j) => data[i * columns + h * width + j]);
  };
  const table = bench.nodes.find(
    (node) => node.stack === stack && node.op === 'embed' && node.role === 'embedding',
  );
  const embeddings = bench.weights(/** @type {Tensor} */ (table?.inputs[0]));
  const out = projection('output');
  const unembedding = unembeddingOf(bench);
  const w = bench.weights(/** @type {Tensor} */ (unembedding.inputs[1]));
  const [across, down] = unembedding.op === 'matmul' ? [dModel, 1] : [1, vocab];
  return {
    embedding: matrix(tokens.length, dModel, (i, j) => embeddings[tokens[i] * dModel + j]),
    query: columnsOf('query', head),
    key: columnsOf('key', shared),
    value: columnsOf('value', shared),
    output: matrix(width, dModel, (i, j) => out.data[(head * width + i) * out.columns + j]),
    unembedding: matrix(dModel, tokens.length, (i, j) => w[tokens[j] * across + i * down]),
  };
}

/** What a head of a small model writes for each token that it attends to (OV), and which tokens attend to which (QK):
 * products of weights alone, without positions, norms and biases. In float64.
 * @param {Model} model @param {CircuitsOptions & Listener} options
 * @returns {Promise<Circuits>}
 * @example
 * import { circuits } from 'glassformer/inside';
 *
 * const model = gf.model({ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 1, maxLength: 16 });
 * const { ov, qk, check } = await circuits(model, { layer: 0, head: 1 });
 * [ov.values.length, qk.values[0].length]; // = [8, 8]
 * check.difference <= check.bound; // = true
 * model.dispose(); */
export function circuits(model, options) {
  const where = 'circuits';
  return experiment(where, options, OPTIONS, function* (use, options) {
    const one = [0];
    const source = Object(model).config?.kind === 'transformer' && { source: one };
    const bench = use(new Bench(where, model, { target: one, ...source }));
    const { scores, weights } = attentionAt(bench, options);
    if (options.part === 'cross_attn') throw typeError('ownTokens', { where });
    const [, heads] = weights.shape;
    const head = checkInteger(`${where}: head`, options.head, 0, heads - 1);
    const tokens = checkTokens(`${where}: tokens`, options.tokens, bench.config.vocab);
    const { layer } = options;
    const { embedding, value, output, unembedding, query, key } = matricesOf(bench, {
      ...{ layer, head, tokens },
      stack: weights.stack,
      width: scores.inputs[0]?.shape[3] ?? 0,
      /* Of grouped heads several share a key and a value. */
      shared: Math.floor(head / (heads / Number(scores.inputs[1]?.shape[1]))),
    });
    const ov = yield* inTwoOrders(0.2, [embedding, value, output, unembedding]);
    const qk = yield* inTwoOrders(0.6, [embedding, query, transposed(key), transposed(embedding)]);
    return {
      experiment: /** @type {const} */ ('circuits'),
      ...{ layer, head },
      ov: gridOfTokens(ov.product, tokens, ['attended token', 'logit of'], 'logit'),
      qk: gridOfTokens(qk.product, tokens, ['query', 'key'], 'score'),
      check: {
        difference: Math.max(ov.difference, qk.difference),
        bound: Math.max(ov.bound, qk.bound),
      },
    };
  });
}
