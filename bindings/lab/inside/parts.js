// The parts of a vector of the residual stream: embedding, position, each head, each feed-forward, biases, each
// brought through the norms behind it with the scale that they had in the run. In float64, from the core's values.

import { floatsOf } from './bench.js';
import { headName, PARTS, prefixOf } from './stream.js';

/** @typedef {import('./bench.js').Bench} Bench */
/** @typedef {import('../../js/tape/tensor.js').Tensor} Tensor */

/** What a part comes from: 'embedding', 'position', 'segment', 'head', 'feed-forward', 'bias'; 'input' of a model
 * of vectors; 'hidden' is what a nonlinear step before the logits made; 'replaced' what an experiment put into the
 * stream, or into what a sublayer gives.
 * @typedef {'embedding' | 'position' | 'segment' | 'head' | 'feed-forward' | 'bias' | 'input' | 'hidden' | 'replaced'} Source */

/** The step that made a part.
 * @typedef {object} Origin
 * @property {string} name
 * @property {Source} source
 * @property {import('../../js/tape/description.js').Stack | null} stack
 * @property {number | null} layer
 * @property {import('../../js/tape/description.js').Part | null} part of the layer; null outside of layers
 * @property {number | null} head
 * @property {number} [key] the position that a head reads, where its part is taken apart by that
 * @property {number} [weight] the head's attention weight there
 */

/** A part of a vector.
 * @typedef {object} Portion
 * @property {Origin} origin
 * @property {Float64Array} values
 * @property {number} depth how often the core rounded on the way from this part to the vector
 */

/** Half a unit in the last place of float32, relative to the number. */
const ROUNDING = 2 ** -24;
/** Of a norm, besides its two sums: the division, the root, the difference, the products with rate and gain, the bias. */
const NORM_STEPS = 8;

/** The last dimension of a node at a token; of what is alike for all tokens the only row.
 * @param {Tensor} node @param {number} token */
function rowOf(node, token) {
  const width = node.shape[node.shape.length - 1];
  const from = node.size > width ? token * width : 0;
  return floatsOf(node).subarray(from, from + width);
}

/** Whether an experiment put values into some cells of a row.
 * @param {Bench} bench @param {Tensor} node @param {number} row @param {number} width */
function isReplaced({ replaced }, node, row, width) {
  const cells = replaced.get(node);
  return (
    !!cells && Array.from({ length: width }, (_, c) => row * width + c).some((c) => cells.has(c))
  );
}

/** Steps that are not divided further, by their role. @type {Record<string, Source>} */
const SOURCES = {
  embedding: 'embedding',
  position: 'position',
  segment: 'segment',
  input: 'input',
};

/** Which norm of its layer, from 1; of those around the layers what they follow.
 * @param {Bench} bench @param {Tensor} node */
function normName({ nodes }, { id, stack, layer, part }) {
  if (layer === null) return `${part ?? 'final'} norm`;
  const norms = nodes.filter(
    (node) =>
      node.role === 'norm' && node.kind === 'op' && node.stack === stack && node.layer === layer,
  );
  return `norm ${1 + norms.findIndex((norm) => norm.id === id)}`;
}

/** @param {Bench} bench @param {Tensor} node @param {Source} source @param {number | null} [head]
 * @returns {Origin} */
function originOf(bench, node, source, head = null) {
  const { stack, layer, role } = node;
  /* An addition to the stream is behind the sublayer that it adds. */
  const part = role === 'residual' ? (node.inputs[1]?.part ?? null) : node.part;
  const origin = { source, stack, layer, part, head };
  if (head !== null) return { name: headName(bench, node, head), ...origin };
  const maker = role === 'norm' ? normName(bench, node) : part && PARTS[part];
  const where = layer === null ? '' : `layer ${layer} `;
  const what = role === 'residual' ? 'stream' : (maker ?? role);
  const names = { bias: `${maker} bias`, replaced: `${what} replaced` };
  const name = source in names ? names[/** @type {keyof typeof names} */ (source)] : source;
  return { name: prefixOf(bench, stack) + where + name, ...origin };
}

/** @param {Origin} origin @param {ArrayLike<number>} row
 * @returns {Portion} */
const portionOf = (origin, row) => ({ origin, values: Float64Array.from(row), depth: 0 });

/** Rounded once more.
 * @param {Portion} portion */
const rounded = (portion) => ({ ...portion, depth: portion.depth + 1 });

/** The bias of a step, or nothing.
 * @param {Bench} bench @param {Tensor} node @param {Tensor | null | undefined} bias @param {number} [from] @param {number} [to]
 * @returns {Portion[]} */
const biasOf = (bench, node, bias, from, to) =>
  bias
    ? [rounded(portionOf(originOf(bench, node, 'bias'), bench.weights(bias).subarray(from, to)))]
    : [];

/** @param {ArrayLike<number>} row */
function meanOf(row) {
  let sum = 0;
  for (let i = 0; i < row.length; i++) sum += row[i];
  return sum / row.length;
}

/** A norm is linear once its scale is known: what it makes of the parts of its operand.
 * @param {Bench} bench @param {Tensor} node @param {number} token @param {boolean} byKey
 * @returns {Generator<number, Portion[]>} */
function* normed(bench, node, token, byKey) {
  const [x, gain, bias] = /** @type {Tensor[]} */ (node.inputs);
  const centred = node.op === 'layer_norm';
  const row = rowOf(x, token);
  const mean = centred ? meanOf(row) : 0;
  const square = meanOf(Float64Array.from(row, (value) => (value - mean) ** 2));
  const rate = 1 / Math.sqrt(square + node.attributes.epsilon);
  const gains = gain && bench.weights(gain);
  const portions = yield* portionsOf(bench, x, token, byKey);
  const parts = portions.map(({ origin, values, depth }) => {
    const shift = centred ? meanOf(values) : 0;
    return {
      origin,
      values: values.map((value, c) => (value - shift) * rate * (gains ? gains[c] : 1)),
      depth: depth + 2 * row.length + NORM_STEPS,
    };
  });
  return [...parts, ...biasOf(bench, node, bias)];
}

/** A row times some columns of a matrix, of as many of its rows as the row has numbers, from `first` on.
 * @param {ArrayLike<number>} row @param {Float32Array} matrix @param {number} columns
 * @param {{ first?: number, from?: number, to?: number }} [part] */
function product(row, matrix, columns, { first = 0, from = 0, to = columns } = {}) {
  const values = new Float64Array(to - from);
  for (let k = 0; k < row.length; k++) {
    const offset = (first + k) * columns;
    for (let c = from; c < to; c++) values[c - from] += row[k] * matrix[offset + c];
  }
  return values;
}

/** What a head makes of the values at each position: its weight, and that times the value. Their sum is what the head gives.
 * @param {Bench} bench @param {Tensor} concat of the heads @param {number} token @param {number} head
 * @returns {{ weight: number, contribution: Float64Array }[] | null} null where the step was taken out of the model, or replaced */
function mixed(bench, concat, token, head) {
  const [mix] = /** @type {Tensor[]} */ (concat.inputs);
  const [weights, values] = /** @type {Tensor[]} */ (mix?.inputs ?? []);
  if (mix?.op !== 'matmul' || [mix, weights, values].some(({ bypassed }) => bypassed !== null))
    return null;
  const [, heads, queries, keys] = weights.shape;
  const [, groups, , width] = values.shape;
  if (isReplaced(bench, mix, head * queries + token, width)) return null;
  if (isReplaced(bench, concat, token * heads + head, width)) return null;
  const row = floatsOf(weights).subarray((head * queries + token) * keys);
  const group = Math.floor((head * groups) / heads);
  return Array.from({ length: keys }, (_, key) => {
    const from = (group * keys + key) * width;
    const value = floatsOf(values).subarray(from, from + width);
    const weight = row[key];
    return { weight, contribution: Float64Array.from(value, (number) => weight * number) };
  });
}

/** The output of a sublayer: of an attention head by head, and its bias.
 * @param {Bench} bench @param {Tensor} node @param {number} token @param {boolean} byKey
 * @returns {Portion[]} */
function outputs(bench, node, token, byKey) {
  const [x, w, b] = /** @type {Tensor[]} */ (node.inputs);
  const matrix = bench.weights(w);
  const row = rowOf(x, token);
  const heads = x.role === 'concat' ? x.heads : 0;
  const width = row.length / (heads || 1);
  const depth = row.length + 1;
  const parts = Array.from({ length: heads || 1 }, (_, h) => {
    const origin = originOf(bench, node, heads ? 'head' : 'feed-forward', heads ? h : null);
    const first = h * width;
    const on = (/** @type {ArrayLike<number>} */ values) =>
      product(values, matrix, w.shape[1], { first });
    const split = byKey && heads ? mixed(bench, x, token, h) : null;
    if (!split) return [{ origin, values: on(row.subarray(first, first + width)), depth }];
    return split.map(({ weight, contribution }, key) => ({
      origin: { ...origin, name: `${origin.name} at ${key}`, key, weight },
      values: on(contribution),
      depth: depth + split.length,
    }));
  });
  return [...parts.flat(), ...biasOf(bench, node, b)];
}

/** The parts of a node at a token: their sum is its row, but for rounding. Pauses between sublayers, where an experiment has
 * run its model.
 * @param {Bench} bench @param {Tensor} node @param {number} token
 * @param {boolean} [byKey] whether a head's part is taken apart by the positions that it reads
 * @returns {Generator<number, Portion[]>} */
export function* portionsOf(bench, node, token, byKey = false) {
  const [x, other] = /** @type {Tensor[]} */ (node.inputs);
  const width = node.shape[node.shape.length - 1];
  const on = (/** @type {Tensor} */ input) => portionsOf(bench, input, token, byKey);
  if (isReplaced(bench, node, node.size > width ? token : 0, width))
    return [portionOf(originOf(bench, node, 'replaced'), rowOf(node, token))];
  if (node.bypassed !== null) return yield* on(node.bypassed ? other : x);
  if (node.op === 'add') return [...(yield* on(x)), ...(yield* on(other))].map(rounded);
  if (node.op === 'scale') {
    const { factor } = node.attributes;
    return (yield* on(x)).map((part) =>
      rounded({ ...part, values: part.values.map((value) => factor * value) }),
    );
  }
  if (node.op === 'layer_norm' || node.op === 'rms_norm')
    return yield* normed(bench, node, token, byKey);
  if (node.op === 'linear' && node.role === 'output') {
    yield 0.5;
    return outputs(bench, node, token, byKey);
  }
  return [
    portionOf(originOf(bench, node, SOURCES[node.role ?? ''] ?? 'hidden'), rowOf(node, token)),
  ];
}

/** Parts through some columns of a linear step, and its bias. Pauses between parts.
 * @param {Bench} bench @param {Portion[]} parts @param {Tensor} node @param {number} from @param {number} to
 * @returns {Generator<number, Portion[]>} */
export function* through(bench, parts, node, from, to) {
  const [, w, b] = /** @type {Tensor[]} */ (node.inputs);
  const matrix = bench.weights(w);
  const mapped = [];
  for (const { origin, values: part, depth } of parts) {
    yield 0.5;
    const values = product(part, matrix, w.shape[1], { from, to });
    mapped.push({ origin, values, depth: depth + part.length + 1 });
  }
  return [...mapped, ...biasOf(bench, node, b, from, to)];
}

/** How often the core rounded on the way from a part to the sum, at most.
 * @param {Portion[]} parts */
export const depthOf = (parts) => Math.max(0, ...parts.map(({ depth }) => depth));

/** What rounding can do to a sum: n · 2⁻²⁴ · Σ|products|.
 * @param {number} depth n @param {number} size of the products, without their signs */
export const boundOf = (depth, size) => depth * ROUNDING * size;
