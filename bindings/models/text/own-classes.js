// The classes that a file's own head finds: of texts, or of each token.

import { checkArray, checkBoolean, checkText, readOptions } from '../../js/base/errors.js';
import { largestOf } from '../../js/base/largest.js';
import { inTurns } from '../../js/base/turn.js';
import { weightsOf } from '../../js/model/model.js';
import { EMBEDDING, readNode, rowsOf } from './embed.js';
import { rangeError, typeError } from './texts.js';
import { checkTokenizer } from './tokenizer.js';

/** @typedef {import('../../js/model/model.js').Model} Model */
/** @typedef {import('./tokenizer.js').Tokenizer} Tokenizer */
/** Options for a file's own head.
 * @typedef {object} ClassifyOptions
 * @property {boolean} [truncate] whether a text of more than maxLength tokens loses those before its last one; by default it is
 *   refused
 * @property {boolean} [multiLabel] `checkpoint.multiLabel`: labels do not exclude each other, so each has a probability of its
 *   own, the sigmoid of its score; by default their probabilities, the softmax, add up to 1
 * @property {AbortSignal} [signal] ends the work
 * @property {(part: number) => void} [onProgress] part: 0 to 1 */

/** @typedef {object} Classified
 * @property {string} label the likeliest
 * @property {number} probability of that label
 * @property {Record<string, number>} probabilities of all labels */

/** A token with its class.
 * @typedef {Classified & { token: number }} ClassifiedToken */

const { truncate, signal, onProgress } = EMBEDDING;
export const CLASSIFYING = { truncate, signal, onProgress };
/** @type {Readonly<Record<string, import('../../js/base/errors.js').Rule>>} */
const BY_HEAD = { ...CLASSIFYING, multiLabel: [checkBoolean] };

/** The classes of rows of probabilities.
 * @param {(row: number) => string} whereOf @param {readonly string[]} labels @param {Float32Array} likely a row of each text, or token
 * @returns {Classified[]} */
export const classifiedBy = (whereOf, labels, likely) =>
  Array.from({ length: likely.length / labels.length }, (_, i) => {
    const row = Array.from(likely.subarray(i * labels.length, (i + 1) * labels.length));
    const best = largestOf(whereOf(i), row);
    return {
      label: labels[best],
      probability: row[best],
      probabilities: Object.fromEntries(labels.map((label, k) => [label, row[k]])),
    };
  });

/** Whether the classes of a model are of texts or of tokens.
 * @param {Partial<import('../checkpoints/variant.js').Variant & import('../../js/model/config/config.js').Config>} config */
export const classesOf = ({ kind, pooler, classesUnbiased }) =>
  (kind === 'gpt' ? classesUnbiased : pooler) ? 'texts' : 'tokens';

/** Refuses labels that are not those of the model's own classes.
 * @param {string} where @param {Model} model @param {readonly string[]} labels @param {'texts' | 'tokens'} of
 * @param {boolean} multiLabel */
function checkHead(where, { config }, labels, of, multiLabel) {
  const { classes } = /** @type {{ classes?: number }} */ (config);
  if (!classes) throw typeError('noClasses', { where });
  const kind = classesOf(config);
  const call = kind === 'texts' ? 'classify' : 'classifyTokens';
  if (kind !== of) throw typeError('otherClasses', { where, call });
  if (classes === 1 && !multiLabel) throw typeError('oneNumber', { where });
  const place = `${where}: labels`;
  checkArray(place, labels);
  for (const [i, label] of labels.entries()) checkText(`${place}[${i}]`, label);
  const different = new Set(labels).size;
  if (different === classes && labels.length === classes) return;
  throw rangeError('labelsOf', { where: place, n: classes, given: different });
}

/** The classes that a model's own head finds.
 * @param {string} where @param {Model} model @param {Tokenizer} tokenizer @param {unknown} texts
 * @param {readonly string[]} labels @param {ClassifyOptions} options @param {'texts' | 'tokens'} of
 * @returns {Promise<{ ids: number[], all: Classified[] }[]>} */
export async function classifyByHead(where, model, tokenizer, texts, labels, options, of) {
  const weights = weightsOf(where, model);
  checkTokenizer(where, tokenizer);
  const checked = readOptions(where, options, BY_HEAD);
  const { multiLabel = false } = checked;
  checkHead(where, model, labels, of, multiLabel);
  const { config } = model;
  const rows = rowsOf(`${where}: texts`, config, tokenizer, texts, checked.truncate === true);
  /** @type {Parameters<typeof readNode>[4]} */
  const read = {
    more: (tape) => tape[multiLabel ? 'sigmoid' : 'softmax'](tape.find('classes'), 'probabilities'),
    nodeOf: (tape) => tape.find('probabilities'),
    /* A decoder has a row for each token, and the last one has read the whole text. */
    of: (likely) => (of === 'texts' ? likely.slice(-labels.length) : likely),
  };
  const work = readNode(where, weights, config, rows, read);
  const likely = await inTurns(work, checked.signal, checked.onProgress);
  const whereOf = (/** @type {number} */ i) => (/** @type {number} */ token) =>
    `${where}: texts[${i}]${of === 'tokens' ? `: token ${token}` : ''}`;
  return likely.map((row, i) => ({ ids: rows[i], all: classifiedBy(whereOf(i), labels, row) }));
}

/** The class of each token, by the head of a file for classes of tokens.
 * @param {Model} model that openModel gives @param {Tokenizer} tokenizer
 * @param {readonly (string | ArrayLike<number>)[]} texts or their ids
 * @param {readonly string[]} labels `checkpoint.labels`
 * @param {ClassifyOptions} [options]
 * @returns {Promise<ClassifiedToken[][]>}
 * @example
 * import { exportModel } from 'glassformer';
 * import { load, openCheckpoint } from 'glassformer/models';
 * import { classifyTokens } from 'glassformer/text';
 *
 * const gf = await load();
 * const size = { vocab: 8, dModel: 8, heads: 2, layers: 1, maxLength: 16 };
 * const plain = { pooler: false, prediction: false, outputBias: false };
 * const body = gf.model({ kind: 'bert', head: 'none', ...size, ...plain });
 * const { config, bytes } = exportModel(body, 'bert');
 * const header = JSON.stringify({
 *   'classifier.weight': { dtype: 'F32', shape: [2, 8], data_offsets: [0, 64] },
 *   'classifier.bias': { dtype: 'F32', shape: [2], data_offsets: [64, 72] },
 * });
 * const numbers = Float32Array.from({ length: 18 }, (_, i) => (i === 17 ? Math.log(3) : 0));
 * const head = new Blob([BigUint64Array.of(BigInt(header.length)), header, numbers]);
 * const names = { id2label: { 0: 'other', 1: 'name' } };
 * const checkpoint = await openCheckpoint([bytes, head], { config: { ...config, ...names } });
 * const model = await gf.openModel(checkpoint);
 * const tokenizer = { encode: () => [1, 2], decode: () => '' };
 * const [tokens] = await classifyTokens(model, tokenizer, ['any text'], checkpoint.labels ?? []);
 * tokens.map(({ label, probability }) => [label, probability]); // = [['name', 0.75], ['name', 0.75]]
 * model.dispose(); */
export async function classifyTokens(model, tokenizer, texts, labels, options = {}) {
  const where = 'classifyTokens';
  const classified = await classifyByHead(
    where,
    model,
    tokenizer,
    texts,
    labels,
    options,
    'tokens',
  );
  return classified.map(({ ids, all }) => all.map((one, i) => ({ token: ids[i], ...one })));
}
