// Direct logit attribution: a logit, or a difference of two, as a sum over all that was written into the stream.

import { checkBoolean } from '../../js/base/errors.js';
import { largestOf } from '../../js/base/largest.js';
import { touchedBy, trialsOf, valuesFor } from './ablate.js';
import { Bench, experiment, floatsOf } from './bench.js';
import { checkPosition, checkToken } from './metric.js';
import { boundOf, depthOf, portionsOf } from './parts.js';
import { cellsOf, changesOf } from './replace.js';
import { rangeError } from './texts.js';

/** @typedef {import('./ablate.js').ChangedPlace} ChangedPlace */
/** @typedef {import('./bench.js').Inputs} Inputs */
/** @typedef {import('./bench.js').Listener} Listener */
/** @typedef {import('./bench.js').Model} Model */
/** @typedef {import('./parts.js').Origin} Origin */
/** @typedef {import('./replace.js').Value} Value */
/** @typedef {import('../../js/tape/tensor.js').Tensor} Tensor */

/** A number and what it is: parts add up to the total, but for rounding.
 * @template P
 * @typedef {object} Sum
 * @property {(P & { name: string, value: number })[]} parts what the total is made of
 * @property {number} total the core's number
 * @property {number} sum of the parts
 * @property {number} bound the sum and the total differ by no more: n · 2⁻²⁴ · Σ|products|, where n is how often the core
 *   rounds on the way from a part to the total, and the products are those that the parts are sums of
 */

/**
 * @typedef {object} AttributionOptions
 * @property {number} [position] of the target, from 0; negative ones count from the end; -1 by default
 * @property {number} [token] whose logit; by default the largest
 * @property {number} [against] a token whose logit is subtracted
 * @property {boolean} [keys] whether a head's part is taken apart by the positions that it reads
 * @property {boolean | string} [products] whether each part comes with the products of two numbers that it is the sum of; or
 *   the name of the only one that does
 * @property {readonly ChangedPlace[]} [at] what is replaced before: the sum is then that of the changed run
 * @property {Value} [value] of the places that have none of their own; 'zero' by default
 */

/** part: of the layer, where the step stands; null outside of layers. products: with the option of that name, for each channel the
 * part's number and that of the unembedding.
 * @typedef {Origin & { products?: [part: number, unembedding: number][] }} LogitPart */

/** parts: what the logit is made of. against: the token whose logit is subtracted, or null.
 * @typedef {Sum<LogitPart> & { experiment: 'logit', position: number, token: number, against: number | null }} LogitAttribution */

/** The origin of parts behind all layers. */
const NOWHERE = { stack: null, layer: null, part: null, head: null };

const OPTIONS = ['position', 'token', 'against', 'keys', 'products', 'at', 'value'];

/** The product that the logits come from: of a tied embedding the bias is a node of its own behind it.
 * @param {Bench} bench
 * @returns {Tensor} */
export const unembeddingOf = ({ logits }) =>
  logits.op === 'add' ? /** @type {Tensor} */ (logits.inputs[0]) : logits;

/** The vector whose product with what enters the unembedding is a token's logit.
 * @param {Tensor} node the product @param {number} token */
function columnOf(node, token) {
  const table = /** @type {Tensor} */ (node.inputs[1]);
  const { stored } = table;
  const vocab = node.shape[node.shape.length - 1];
  const width = table.size / vocab;
  const floats = stored ? null : floatsOf(table);
  /* Of a table in few bits only this column is expanded. */
  return Float64Array.from({ length: width }, (_, c) => {
    const place = node.op === 'matmul' ? token * width + c : c * vocab + token;
    return floats ? floats[place] : Number(stored?.at(place));
  });
}

/** The terms of a token's logit: its column of the unembedding and its bias, or the value that an experiment put there.
 * @param {Bench} bench @param {number} position @param {number} token
 * @returns {{ column: Float64Array, bias: number | null, put: number | null }} */
function termsOf(bench, position, token) {
  const { logits, replaced } = bench;
  const node = unembeddingOf(bench);
  const bias = node === logits ? node.inputs[2] : logits.inputs[1];
  const cell = position * logits.shape[2] + token;
  const over = [logits, node].find((one) => replaced.get(one)?.has(cell));
  const column = columnOf(node, token);
  return {
    column: over ? column.fill(0) : column,
    bias: bias && over !== logits ? bench.weights(bias)[token] : null,
    put: over ? floatsOf(over)[cell] : null,
  };
}

/** @param {Bench} bench @param {{ position: number, token: number, against: number | null }} which
 * @param {boolean} keys @param {boolean | string} products
 * @returns {Generator<number, Pick<LogitAttribution, 'parts' | 'total' | 'sum' | 'bound'>>} */
function* attribute(bench, { position, token, against }, keys, products) {
  const { logits } = bench;
  const plus = termsOf(bench, position, token);
  const minus = against === null ? null : termsOf(bench, position, against);
  const column = minus ? plus.column.map((number, c) => number - minus.column[c]) : plus.column;
  const [x] = /** @type {Tensor[]} */ (unembeddingOf(bench).inputs);
  const portions = yield* portionsOf(bench, x, position, keys);
  const isOpened = (/** @type {string} */ name) => products === true || products === name;
  let size = 0;
  /** @type {(LogitPart & { value: number })[]} */
  const parts = portions.map(({ origin, values }) => {
    let value = 0;
    for (let c = 0; c < column.length; c++) {
      value += values[c] * column[c];
      size += Math.abs(values[c]) * (Math.abs(plus.column[c]) + Math.abs(minus?.column[c] ?? 0));
    }
    /** @returns {[number, number][]} */
    const pairs = () => Array.from(values, (number, c) => [number, column[c]]);
    return { ...origin, value, ...(isOpened(origin.name) && { products: pairs() }) };
  });
  /** A part that is one number. @param {'bias' | 'put'} kind @param {Origin} origin */
  const add = (kind, origin) => {
    const [one, other] = [plus[kind], minus?.[kind] ?? null];
    if (one === null && other === null) return;
    const value = (one ?? 0) - (other ?? 0);
    size += Math.abs(one ?? 0) + Math.abs(other ?? 0);
    parts.push({ ...origin, value, ...(isOpened(origin.name) && { products: [[value, 1]] }) });
  };
  add('bias', { name: 'output bias', source: 'bias', ...NOWHERE });
  add('put', { name: 'logits replaced', source: 'replaced', ...NOWHERE });
  if (typeof products === 'string' && !parts.some(({ name }) => name === products))
    throw rangeError('noPartNamed', { where: `${bench.where}: products`, name: products });
  const row = floatsOf(logits).subarray(position * logits.shape[2]);
  return {
    parts,
    total: row[token] - (against === null ? 0 : row[against]),
    sum: parts.reduce((sum, { value }) => sum + value, 0),
    bound: boundOf(depthOf(portions) + column.length + 2, size),
  };
}

/** Runs a bench anew, with some of its values replaced.
 * @param {Model} model @param {Bench} bench @param {readonly ChangedPlace[]} places @param {Value} [value]
 * @returns {Generator<number, void>} */
function* replace(model, bench, places, value) {
  const trials = trialsOf(bench, { at: places }, ['value']);
  const values = yield* valuesFor(model, bench, trials, { at: places, value });
  const regions = touchedBy(trials);
  yield* bench.running(changesOf(regions, values));
  bench.replaced = cellsOf(regions);
}

/** A logit as the sum of what embedding, positions, each head, each feed-forward and each bias wrote into the
 * residual stream, with every norm's scale as it was in the run. With `against` the difference of two logits.
 * @param {Model} model @param {Inputs} inputs of one sequence @param {AttributionOptions & Listener} [options]
 * @returns {Promise<LogitAttribution>}
 * @example
 * import { logitAttribution } from 'glassformer/inside';
 *
 * const model = gf.model({ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 1, maxLength: 16 });
 * const { parts, total, sum, bound } = await logitAttribution(model, { target: [1, 2, 3] });
 * parts.slice(0, 3).map(({ name }) => name); // = ['embedding', 'position', 'layer 0 head 0']
 * Math.abs(sum - total) <= bound; // = true
 * const { parts: each } = await logitAttribution(model, { target: [1, 2, 3] }, { keys: true, products: true });
 * each[2].name; // = 'layer 0 head 0 at 0'
 * each[2].products?.length; // = 8
 * const changed = await logitAttribution(model, { target: [1, 2, 3] }, { at: [{ layer: 0, head: 1 }] });
 * changed.parts[3].value; // = 0
 * model.dispose(); */
export function logitAttribution(model, inputs, options = {}) {
  return experiment('logitAttribution', options, OPTIONS, (use, options) =>
    attributing(use, model, inputs, options),
  );
}

/** The work of logitAttribution(), for who does it at once.
 * @param {(bench: Bench) => Bench} use @param {Model} model @param {Inputs} inputs @param {AttributionOptions} options
 * @returns {Generator<number, LogitAttribution>} */
export function* attributing(use, model, inputs, options) {
  const where = 'logitAttribution';
  const { keys = false, products = false } = options;
  checkBoolean(`${where}: keys`, keys);
  if (typeof products !== 'string') checkBoolean(`${where}: products`, products);
  const bench = use(new Bench(where, model, inputs));
  const { logits, config } = bench;
  const [, length, vocab] = logits.shape;
  const position = checkPosition(`${where}: position`, options.position, length);
  const asked = checkToken(`${where}: token`, options.token, config.vocab);
  const against = checkToken(`${where}: against`, options.against, config.vocab) ?? null;
  yield* bench.running();
  yield 0.5;
  if (options.at) yield* replace(model, bench, options.at, options.value);
  const token =
    asked ?? largestOf(where, floatsOf(logits).subarray(position * vocab, (position + 1) * vocab));
  return {
    experiment: 'logit',
    position,
    token,
    against,
    ...(yield* attribute(bench, { position, token, against }, keys, products)),
  };
}
