// open(): a model, and all that lies beside it.

import {
  checkBoolean,
  checkInteger,
  checkListener,
  checkWord,
  readOptions,
} from '../../js/base/errors.js';
import { checkSignal } from '../../js/base/turn.js';
import { INT32, isGiven, isObject } from '../../js/base/values.js';
import { readSafetensorsHeader } from '../../js/formats/safetensors.js';
import { engineOf } from '../../js/glassformer.js';
import { FORMAT, readModel } from '../../js/model/file.js';
import { weightsOf } from '../../js/model/model.js';
import { ARITHMETICS } from '../../js/stored/matrix.js';
import { openModel as modelOf, openCheckpoint } from '../checkpoints/open.js';
import { openSource, readWhole } from '../formats/source.js';
import { embeddingOf } from './embedding.js';
import { jsonOf, placeOf } from './place.js';
import { failure, typeError } from './texts.js';
import { tokenizerOf } from './tokenizer.js';
import { VOCABULARY, vocabularyIn, vocabularyTokenizer } from './vocabulary.js';

/** @typedef {import('../../js/glassformer.js').Glassformer} Glassformer */
/** @typedef {import('../checkpoints/opened.js').OpenedModel} OpenedModel */
/** @typedef {import('../formats/source.js').FileLike} FileLike */
/** @typedef {import('../formats/token-lists.js').ListedTokenizer} ListedTokenizer */
/** @typedef {import('./place.js').Place} Place */

/** How a model is opened.
 * @typedef {object} OpenOptions
 * @property {Glassformer} [gf] the core to open it in, from load() or another open(); by default one is made
 * @property {boolean} [stored] matrices stay as the file of another program stores them, in few bits, with the same results,
 *   bit for bit; such a model is neither trained nor saved. By default all parameters become float32
 * @property {import('../../js/stored/matrix.js').Arithmetic} [arithmetic] `integer`: products with such matrices are
 *   sums of integers, faster, with other bits than `exact`, the default, but one set of them everywhere
 * @property {Record<string, unknown>} [config] what config.json says, in place of the one beside a safetensors of others
 * @property {number} [maxLength] the most tokens that it reads at once, the answer included: 1 to the model's own, the default
 * @property {import('./tokenizer.js').OpenTokenizer} [openTokenizer] of glassformer/tokenizer, which reads tokenizer.json:
 *   pass it in a page; in Node, open finds it by itself
 * @property {AbortSignal} [signal] ends the reading; open rejects with its reason, an AbortError by default
 * @property {(part: number, bytes: number) => void} [onProgress] part: 0 to 1; bytes: read so far */

/** A model, and what came with it.
 * @typedef {object} Opened
 * @property {OpenedModel} model
 * @property {ListedTokenizer} tokenizer of the file or of those beside it; reading this field is an error where there is none
 * @property {string | null} chatTemplate in Jinja: chat(model, opened, messages) of glassformer/chat fills it in
 * @property {string | null} family Hugging Face's model_type; null of a model of ours
 * @property {readonly string[] | null} labels of the classes of a model that finds some
 * @property {boolean} multiLabel whether they do not exclude each other
 * @property {readonly string[]} warnings what the files do not say, and what was taken in its place
 * @property {Glassformer} gf the core that the model is in */

/** What comes with a model, the tokenizer as it is, or the reason why there is none.
 * @typedef {Omit<Opened, 'tokenizer' | 'gf'> & { tokenizer: ListedTokenizer | Error }} Parts */

/** @param {string} where @param {unknown} gf */
const checkGf = (where, gf) => engineOf(where, gf);

/** @param {string} where @param {unknown} config */
function checkConfig(where, config) {
  if (!isObject(config)) throw typeError('object', { where, given: config });
}

/** @satisfies {Record<string, import('../../js/base/errors.js').Rule>} */
const OPTIONS = {
  gf: [checkGf],
  stored: [checkBoolean],
  arithmetic: [checkWord, ARITHMETICS],
  config: [checkConfig],
  /* The model says how many. */
  maxLength: [checkInteger, 1, INT32],
  openTokenizer: [checkListener],
  signal: [checkSignal],
  onProgress: [checkListener],
};

/** What a safetensors says of itself; nothing of any other file.
 * @param {FileLike} file @param {AbortSignal} [signal] */
async function metadataOf(file, signal) {
  const source = await openSource('open', file, signal);
  try {
    const begin = await source.read(0, 9);
    if (begin[8] !== '{'.charCodeAt(0)) return null;
    return (await readSafetensorsHeader(source)).metadata;
  } finally {
    await source.close();
  }
}

/** Lets a model read fewer tokens than it could.
 * @param {import('../../js/model/model.js').Model} model @param {number} [maxLength] */
function limit(model, maxLength = model.config.maxLength) {
  try {
    checkInteger('open: maxLength', maxLength, 1, model.config.maxLength);
  } catch (error) {
    model.dispose();
    throw error;
  }
  model.config = Object.freeze({ ...model.config, maxLength });
}

/** A model that model.save() or glassformer train wrote.
 * @param {Glassformer} gf @param {FileLike} file @param {Record<string, string>} metadata @param {OpenOptions} options
 * @returns {Promise<Parts>} */
async function ownParts(gf, file, metadata, { arithmetic, maxLength, signal, onProgress }) {
  if (arithmetic === 'integer') throw typeError('noIntegersOfOurs', { where: 'open: arithmetic' });
  const source = await openSource('open', file, signal);
  try {
    const bytes = await readWhole(source);
    const read = readModel(bytes);
    const listener = {
      signal,
      onProgress: (/** @type {number} */ part) => onProgress?.(part, bytes.length),
    };
    const model = await gf.openInTurns(read, listener);
    limit(model, maxLength);
    const said = metadata[VOCABULARY];
    const vocabulary = said === undefined ? undefined : vocabularyIn(said, model.config);
    weightsOf('open', model).vocabulary = vocabulary;
    return {
      model: /** @type {OpenedModel} */ (model),
      tokenizer:
        vocabulary === undefined
          ? failure('GF_ESTATE', 'noVocabulary', { where: 'open: tokenizer' })
          : vocabularyTokenizer(vocabulary, model.config),
      chatTemplate: null,
      family: null,
      labels: null,
      multiLabel: false,
      warnings: Object.freeze([]),
    };
  } finally {
    await source.close();
  }
}

/** A model that others made.
 * @param {Glassformer} gf @param {Place} place @param {boolean} isTensors whether it is in safetensors, which say little
 * @param {OpenOptions} options
 * @returns {Promise<Parts>} */
async function partsOf(gf, place, isTensors, options) {
  const { stored, arithmetic, signal, onProgress } = options;
  const { weights, read } = place;
  const config = isTensors
    ? (options.config ?? (await jsonOf(place, 'config.json', signal)))
    : null;
  const tokens = isTensors ? null : await read('tokenizer.bin', signal);
  const checkpoint = await openCheckpoint(weights, {
    signal,
    ...(config && { config }),
    ...(tokens && { tokenizer: tokens }),
  });
  const { tokenizer, chatTemplate } = await tokenizerOf(place, checkpoint, config, options);
  const rest = { stored, arithmetic, signal, onProgress };
  const model = await modelOf(engineOf('open: gf', gf), checkpoint, rest);
  limit(model, options.maxLength);
  if (isTensors) model.embedding = await embeddingOf(place, model.config.maxLength, signal);
  const { family, labels, multiLabel, warnings } = checkpoint;
  return {
    model,
    tokenizer,
    chatTemplate,
    family,
    labels,
    multiLabel,
    warnings,
  };
}

/** @param {() => Promise<Glassformer>} load makes a core where none is given
 * @param {import('./place.js').ModelSource} source @param {OpenOptions} [options]
 * @param {(place: Place) => Place} [withOthers] puts other files in the place of those beside the weights
 * @returns {Promise<Opened>} */
export async function openModel(load, source, options = {}, withOthers = (place) => place) {
  for (const option of ['threads', 'core'])
    if (isGiven(Object(options)[option]))
      throw typeError('threadsOfCore', { where: `open: ${option}` });
  const read = readOptions('open', options, OPTIONS);
  const { signal } = read;
  signal?.throwIfAborted();
  try {
    const place = withOthers(await placeOf(source, signal));
    const [first] = [place.weights].flat();
    const metadata = await metadataOf(first, signal);
    const gf = read.gf ?? (await load());
    const isTensors = metadata !== null || String(first).endsWith('.json');
    const isOurs = metadata?.format === FORMAT;
    const { tokenizer, ...parts } = isOurs
      ? await ownParts(gf, first, metadata, read)
      : await partsOf(gf, place, isTensors, read);
    const { model, chatTemplate } = parts;
    model.chatTemplate = chatTemplate;
    if (!(tokenizer instanceof Error)) model.tokenizer = tokenizer;
    return {
      ...parts,
      gf,
      get tokenizer() {
        if (tokenizer instanceof Error) throw tokenizer;
        return tokenizer;
      },
    };
  } catch (error) {
    /* What was cut off by the signal ends with its reason. */
    signal?.throwIfAborted();
    throw error;
  }
}
