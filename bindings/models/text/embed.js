// Texts as vectors: what leaves a model's last layer, pooled. No logits are computed.

import {
  checkArray,
  checkBoolean,
  checkInteger,
  checkListener,
  checkNumber,
  checkWord,
  readOptions,
} from '../../js/base/errors.js';
import { asPart, checkSignal, inTurns } from '../../js/base/turn.js';
import { INT32, isList } from '../../js/base/values.js';
import { reads } from '../../js/model/config/architecture.js';
import { Reading } from '../../js/model/inputs/inputs.js';
import { weightsOf } from '../../js/model/model.js';
import { forwardInSlices } from '../../js/model/slices.js';
import { valuesOf } from '../../js/tape/tensor.js';
import { failure, rangeError, typeError } from './texts.js';
import { checkTokenizer, idsOf } from './tokenizer.js';

/** @typedef {import('../../js/model/config/config.js').Config} Config */
/** @typedef {import('../../js/model/model.js').Model} Model */
/** @typedef {import('../../js/model/weights.js').Weights} Weights */
/** @typedef {import('../../js/tape/tape.js').Tape} Tape */
/** @typedef {import('../../js/tape/tensor.js').Tensor} Tensor */
/** @typedef {import('./tokenizer.js').Tokenizer} Tokenizer */
/** @typedef {'mean' | 'first' | 'last'} Pooling */

/** How texts become vectors.
 * @typedef {object} EmbedOptions
 * @property {Pooling} [pooling] the mean of all tokens' vectors, or the first token's, or the last one's; by default what the
 *   model's folder says (1_Pooling/config.json), or the mean
 * @property {boolean} [normalize] whether vectors have the length 1: true by default
 * @property {boolean} [truncate] whether a text of more than maxLength tokens loses those before its last one; by default it is
 *   refused
 * @property {AbortSignal} [signal] ends the work
 * @property {(part: number) => void} [onProgress] part: 0 to 1 */

const POOLINGS = ['mean', 'first', 'last'];

/** @type {Record<string, import('../../js/base/errors.js').Rule>} */
export const EMBEDDING = {
  pooling: [checkWord, POOLINGS],
  normalize: [checkBoolean],
  truncate: [checkBoolean],
  signal: [checkSignal],
  onProgress: [checkListener],
};

/** As many multiply-adds as one matrix product of a batch takes, unless a text alone takes more: about 30 ms. */
export const BATCH_WORK = 2 ** 28;

/** Texts of like lengths, so many that no product takes long. Nothing is padded far.
 * @param {readonly number[][]} rows @param {Config} config
 * @returns {number[][]} their places */
function batchesOf(rows, { dModel, dFF }) {
  const most = Math.floor(BATCH_WORK / (dModel * dFF));
  const order = Array.from(rows.keys()).sort((a, b) => rows[a].length - rows[b].length);
  /** @type {number[][]} */
  const groups = [];
  for (const place of order) {
    const group = groups.at(-1);
    if (group && (group.length + 1) * rows[place].length <= most) group.push(place);
    else groups.push([place]);
  }
  return groups;
}

/** One vector of the vectors of a text's tokens.
 * @param {Float32Array} tokens @param {number} width @param {Pooling} pooling */
function pooled(tokens, width, pooling) {
  const count = tokens.length / width;
  if (pooling !== 'mean') {
    const row = pooling === 'first' ? 0 : count - 1;
    return tokens.slice(row * width, (row + 1) * width);
  }
  return Float32Array.from({ length: width }, (_, i) => {
    let sum = 0;
    for (let offset = i; offset < tokens.length; offset += width) sum += tokens[offset];
    return sum / count;
  });
}

/** Numbers that a call takes as arguments. */
const ARGUMENTS = 2 ** 14;

/** @param {Float32Array} vector */
function normalized(vector) {
  const parts = Array.from({ length: Math.ceil(vector.length / ARGUMENTS) }, (_, i) =>
    Math.hypot(...vector.subarray(i * ARGUMENTS, (i + 1) * ARGUMENTS)),
  );
  const length = Math.hypot(...parts);
  return length ? vector.map((x) => x / length) : vector;
}

/** A transformer's encoder alone; and nothing behind the last layer but a file's own classes. */
const BODY = /** @type {const} */ ({
  head: 'none',
  pooler: false,
  prediction: false,
  decoderLayers: 0,
});

/** What leaves the last layer: without the classes that some models find in it.
 * @param {Tape} tape
 * @returns {Tensor} */
function lastLayer({ nodes }) {
  const last = /** @type {Tensor} */ (nodes.at(-1));
  return last.role === 'logit' ? /** @type {Tensor} */ (last.inputs[0]) : last;
}

/** The rows that each text of a batch has in a node. Pauses between slices of the work.
 * @param {string} where @param {Weights} weights @param {Config} config @param {readonly number[][]} rows
 * @param {{ changes?: Partial<Config>, more?: (tape: Tape) => void, nodeOf: (tape: Tape) => Tensor }} read
 * @returns {Generator<number, Float32Array[]>} */
function* rowsOfNode(where, weights, config, rows, { changes, more, nodeOf }) {
  const body = { ...config, ...changes };
  const reading = new Reading(where, body, {
    [reads(body, 'source') ? 'source' : 'target']: rows,
  });
  const keep = (/** @type {Tape} */ made) => [nodeOf(made)];
  const tape = weights.tape({ ...reading.batch(), fused: true }, { changes, more, keep });
  try {
    reading.write(tape);
    yield* forwardInSlices(tape);
    const node = nodeOf(tape);
    const data = /** @type {Float32Array} */ (valuesOf(node));
    const [, many, width] = node.shape;
    return rows.map(({ length }, i) => {
      const from = i * many * width;
      return data.slice(from, from + Math.min(length, many) * width);
    });
  } finally {
    tape.dispose();
  }
}

/** What a node holds of each text, in batches of texts of like lengths. Pauses, and tells which part is done.
 * @param {string} where @param {Weights} weights @param {Config} config @param {readonly number[][]} rows
 * @param {Parameters<typeof rowsOfNode>[4] & { of: (numbers: Float32Array, text: number) => Float32Array }} read `of` makes of them what
 *   is kept
 * @returns {Generator<number, Float32Array[]>} */
export function* readNode(where, weights, config, rows, { of, ...read }) {
  /** @type {Float32Array[]} */
  const all = Array(rows.length);
  let done = 0;
  for (const group of batchesOf(rows, config)) {
    const members = group.map((place) => rows[place]);
    const work = rowsOfNode(where, weights, config, members, read);
    const values = yield* asPart(work, done / rows.length, group.length / rows.length);
    for (const [i, place] of group.entries()) all[place] = of(values[i], place);
    done += group.length;
    yield done / rows.length;
  }
  return all;
}

/** The ids of texts, none longer than the model takes.
 * @param {string} where @param {{ maxLength: number }} config @param {Tokenizer} tokenizer @param {unknown} texts
 * @param {boolean} truncate
 * @returns {number[][]} */
export function rowsOf(where, { maxLength }, tokenizer, texts, truncate) {
  if (!Array.isArray(texts)) throw typeError('textsOrIds', { where, given: texts });
  return Array.from(texts, (text, i) => {
    const ids = Array.from(idsOf(`${where}[${i}]`, tokenizer, text));
    if (ids.length <= maxLength) return ids;
    if (truncate) return [...ids.slice(0, maxLength - 1), /** @type {number} */ (ids.at(-1))];
    throw rangeError('textTooLong', { where: `${where}[${i}]`, most: maxLength, n: ids.length });
  });
}

/** Makes a vector of each text: what leaves the last layer of its model, pooled over the tokens. No logits are computed.
 * Works in turns, so a page goes on drawing.
 * @param {Model} model of any kind; of a transformer the encoder @param {Tokenizer} tokenizer
 * @param {readonly (string | ArrayLike<number>)[]} texts or their ids @param {EmbedOptions} [options]
 * @returns {Promise<Float32Array[]>}
 * @example
 * import { embed, nearest } from 'glassformer/text';
 *
 * const model = gf.model({ kind: 'bert', vocab: 8, dModel: 8, heads: 2, layers: 1, maxLength: 16 });
 * const letters = [...'abcdefgh'];
 * model.tokenizer = {
 *   encode: (text) => Array.from(text, (letter) => letters.indexOf(letter)),
 *   decode: (ids) => Array.from(ids, (id) => letters[id]).join(''),
 * };
 * const texts = ['abc', 'hg', 'd'];
 * const vectors = await embed(model, model.tokenizer, texts);
 * vectors[0].length; // = 8
 * const [query] = await embed(model, model.tokenizer, ['hg']);
 * const [first] = nearest(query, vectors, 1);
 * texts[first.index]; // = 'hg'
 * first.score; // = 1
 * model.dispose(); */
export async function embed(model, tokenizer, texts, options = {}) {
  const where = 'embed';
  const weights = weightsOf(where, model);
  checkTokenizer(where, tokenizer);
  const checked = readOptions(where, options, EMBEDDING);
  const { normalize = true, truncate = false, signal, onProgress } = checked;
  const { pooling: usual = 'mean', maxLength = model.config.maxLength } = model.embedding ?? {};
  const pooling = /** @type {Pooling} */ (checked.pooling ?? usual);
  if (!POOLINGS.includes(pooling)) {
    throw failure('GF_ESTATE', 'poolingUnread', { where: `${where}: pooling`, value: pooling });
  }
  const rows = rowsOf(`${where}: texts`, { maxLength }, tokenizer, texts, truncate);
  /** @param {Float32Array} tokens @param {number} text */
  const of = (tokens, text) => {
    const vector = pooled(tokens, model.config.dModel, pooling);
    const channel = vector.findIndex((x) => !Number.isFinite(x));
    if (channel >= 0) {
      const value = vector[channel];
      throw rangeError('vectorNotFinite', { where: `${where}: texts[${text}]`, channel, value });
    }
    return normalize ? normalized(vector) : vector;
  };
  const read = { changes: BODY, nodeOf: lastLayer, of };
  const reading = readNode(where, weights, model.config, rows, read);
  return inTurns(reading, signal, onProgress);
}

/** @typedef {object} Neighbour
 * @property {number} index of the vector
 * @property {number} score the cosine of the angle: 1 is the same direction */

/** The largest magnitude in a vector: divided by it, no vector has a square out of range.
 * @param {string} where @param {ArrayLike<number>} vector @param {number} [width] */
function magnitudeOf(where, vector, width) {
  if (!isList(vector) || !vector.length) {
    throw typeError('vectors', { where, width: 'numbers', given: vector });
  }
  if (width && vector.length !== width) throw rangeError('vector', { where, width, given: vector });
  let most = 0;
  for (let i = 0; i < vector.length; i++) {
    const x = vector[i];
    if (!Number.isFinite(x)) {
      const place = `${where}[${i}]`;
      throw rangeError('finite', { where: place, given: checkNumber(place, x) });
    }
    most = Math.max(most, Math.abs(x));
  }
  return most;
}

/** The vectors that point most nearly where one points, nearest first.
 * @param {ArrayLike<number>} vector of finite numbers @param {readonly ArrayLike<number>[]} vectors as long as that
 * @param {number} count at most so many
 * @returns {Neighbour[]}
 * @example
 * import { nearest } from 'glassformer/text';
 *
 * nearest([1, 0], [[0, 2], [3, 3], [4, 0]], 2).map(({ index }) => index); // = [2, 1] */
export function nearest(vector, vectors, count) {
  checkArray('nearest: vectors', vectors);
  checkInteger('nearest: count', count, 0, INT32);
  const most = magnitudeOf('nearest: vector', vector);
  const scaled = Float64Array.from(vector, (x) => x / most);
  const ownSquares = scaled.reduce((sum, x) => sum + x * x, 0);
  const scores = vectors.map((other, index) => {
    const scale = magnitudeOf(`nearest: vectors[${index}]`, other, scaled.length);
    let product = 0;
    let squares = 0;
    for (let i = 0; i < scaled.length; i++) {
      const x = other[i] / scale;
      product += scaled[i] * x;
      squares += x * x;
    }
    return { index, score: most && scale ? product / Math.sqrt(ownSquares * squares) : 0 };
  });
  return scores.sort((a, b) => b.score - a.score || a.index - b.index).slice(0, count);
}
