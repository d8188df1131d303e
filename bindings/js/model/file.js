// A model as one file: safetensors with the parameters by our names and the config beside them; to go on
// training, Adam's moments too.

import { checkArray, checkInteger, checkOptions, checkWord, refusing } from '../base/errors.js';
import { parse, withinFile } from '../base/file.js';
import { sizeOf } from '../base/values.js';
import { readSafetensors, writeSafetensors } from '../formats/safetensors.js';
import { checkConfig } from './config/config.js';
import { extentOf, parametersOf } from './config/parameters.js';
import { message, refusing as refusingFile } from './texts.js';

/** @typedef {import('./config/config.js').Config} Config */
/** @typedef {import('./weights.js').Weights} Weights */
/** @typedef {Map<string, { shape: readonly number[], data: Float32Array | Int32Array }>} Parameters */
/** The contents of a file.
 * @typedef {object} Read
 * @property {Partial<Config>} config
 * @property {Parameters} parameters after training steps, with Adam's moments as m.NAME and v.NAME
 * @property {number} [step] training steps taken, with all that it takes to go on; 0 by default */

/** How texts become tokens.
 * @typedef {object} SavedVocabulary
 * @property {'words' | 'characters'} split a word is also tried in lower case, and up to its apostrophe (l' of l'homme)
 * @property {readonly string[]} tokens by their ids
 * @property {string} [start] the token that begins a text of a GPT; a source has none
 * @property {string} [end] the token that ends what a model writes
 * @property {string} [pad] fills up a batch
 * @property {string} [unknown] stands for what the vocabulary lacks; without it such a text is refused */

/** What a file has besides the parameters.
 * @typedef {object} SaveOptions
 * @property {boolean} [training] all that it takes to go on training
 * @property {SavedVocabulary | null} [vocabulary] from which open() makes the tokenizer; by default that of the file from which it opened the model, null: none */

/** A file's contents, checked against its config.
 * @typedef {{ config: Config, step: number, tensors: FileTensor[] }} Checked */
/** @typedef {object} FileTensor
 * @property {string} title
 * @property {string} name of the parameter
 * @property {string} block 'values', 'm' or 'v'
 * @property {number} size how many numbers it has
 * @property {{ data: unknown }} tensor */

const PART = 'model';
/** What a file of ours says of itself. */
export const FORMAT = 'glassformer';
/** The moments' names begin with these. */
const MOMENTS = /** @type {const} */ (['m', 'v']);
/** The step after it has a number of 32 bits, too. */
const MAX_STEP = 2 ** 31 - 2;

/** @type {import('../base/errors.js').Refuse<typeof import('../base/texts.js').TEXTS>} */
const refuse = refusing(PART);

/** @param {number} step */
const blocksAt = (step) => ['values', ...(step ? MOMENTS : [])];

/** The file's name for a parameter's numbers of one block.
 * @param {string} block @param {string} name */
const nameIn = (block, name) => (block === 'values' ? name : `${block}.${name}`);

/** Refuses what open() would not read later.
 * @param {string} where @param {SavedVocabulary} vocabulary */
export function checkVocabulary(where, vocabulary) {
  checkOptions(where, vocabulary, ['split', 'tokens', 'start', 'end', 'pad', 'unknown']);
  checkWord(`${where}: split`, vocabulary.split, ['words', 'characters']);
  checkArray(`${where}: tokens`, vocabulary.tokens);
}

/** Throws what is wrong with the tokens of a vocabulary; n: how many the model has.
 * @typedef {(detail: 'distinctTexts' | 'amongTokens' | 'asManyTokens', params: { where: string, n: number, given: unknown }) => never} RefuseTokens */

/** Refuses tokens that are not those of a model of n.
 * @param {RefuseTokens} refuse @param {SavedVocabulary} vocabulary @param {number} n */
export function checkTokens(refuse, vocabulary, n) {
  const { tokens } = vocabulary;
  const isList =
    Array.isArray(tokens) && tokens.every((token) => token && typeof token === 'string');
  if (!isList || new Set(tokens).size < tokens.length)
    refuse('distinctTexts', { where: 'tokens', n, given: tokens });
  for (const where of /** @type {const} */ (['start', 'end', 'pad', 'unknown'])) {
    const token = vocabulary[where];
    if (token !== undefined && !tokens.includes(token))
      refuse('amongTokens', { where, n, given: token });
  }
  if (tokens.length !== n) refuse('asManyTokens', { where: 'tokens', n, given: tokens.length });
}

/** @param {Weights} weights @param {object} config @param {number} step @param {SaveOptions} options
 * @returns {import('../formats/safetensors.js').Bytes} */
export function writeModel(weights, config, step, { training = false, vocabulary }) {
  const tensors = blocksAt(training ? step : 0).flatMap((block) =>
    [...weights.parameters.values()].map(
      (parameter) =>
        /** @type {[string, { shape: number[], data: Float32Array }]} */ ([
          nameIn(block, parameter.name),
          { shape: [...parameter.shape], data: parameter.block(block) },
        ]),
    ),
  );
  return writeSafetensors(tensors, {
    format: FORMAT,
    config: JSON.stringify(config),
    ...(training && { step: String(step) }),
    ...(vocabulary && { vocabulary: JSON.stringify(vocabulary) }),
  });
}

/** @param {Record<string, string>} metadata of a file */
export function ownConfig(metadata) {
  if (metadata.format !== FORMAT) {
    const hint = message('importReads', {});
    refusingFile(PART)('notOurs', { given: metadata.format, hint });
  }
  if (!/^\d{1,10}$/.test(metadata.step ?? '0')) {
    refuse('integerFrom', { where: 'step', low: 0, high: MAX_STEP, given: metadata.step });
  }
  const config = /** @type {Read['config']} */ (parse(`${PART}: config`, metadata.config));
  return { config, step: Number(metadata.step ?? 0) };
}

/** Reads the bytes of model.save(): what gf.open takes. Shares their memory. No core is needed: a worker can
 * do it.
 * @param {ArrayBuffer | Uint8Array} bytes
 * @returns {Read}
 * @example
 * import { readModel } from 'glassformer';
 *
 * const model = gf.model({ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 1 });
 * readModel(model.save()).config.vocab; // = 8 */
export function readModel(bytes) {
  const { tensors: parameters, metadata } = readSafetensors(bytes, 'readModel: bytes');
  const { config, step } = checkRead({ ...ownConfig(metadata), parameters });
  return { config, parameters, step };
}

/** @param {string} title @param {any} tensor @param {readonly number[]} shape */
function checkTensor(title, tensor, shape) {
  if (!Array.isArray(tensor?.shape)) refuse('tensorForm', { where: title, given: tensor });
  if (tensor.shape.join() !== shape.join()) {
    refuse('shapeAs', { where: title, expected: shape, shape: [...tensor.shape] });
  }
  numbersOf(title, tensor, sizeOf(shape));
}

/** The numbers of a tensor, as they are now: their memory may have gone elsewhere since they were seen.
 * @param {string} title @param {{ data: unknown }} tensor @param {number} size */
function numbersOf(title, { data }, size) {
  if (data instanceof Float32Array && data.length === size) return data;
  return refuse('floatsOf', { where: title, n: size, given: data });
}

/** Checks what a file has against its config: every parameter that its config asks for, of the right
 * shape, and nothing else. Builds nothing, and looks at no more parameters than the file has.
 * @param {Read} read
 * @returns {Checked} */
export function checkRead({ config: options, parameters, step = 0 }) {
  const config = withinFile(PART, () => checkConfig(options, 'config'));
  withinFile(PART, () => checkInteger('step', step, 0, MAX_STEP));
  const count = extentOf(config).tensors;
  return { config, step, tensors: tensorsOf(() => parametersOf(config), count, parameters, step) };
}

/** A file's tensors, held against the parameters that are asked for.
 * @param {() => Iterable<import('./config/parameters.js').Parameter>} parameterShapes @param {number} count how many those are
 * @param {Parameters} parameters of the file @param {number} step
 * @returns {FileTensor[]} */
export function tensorsOf(parameterShapes, count, parameters, step) {
  const blocks = blocksAt(step);
  /** @type {FileTensor[]} */
  const tensors = [];
  const keys = new Set();
  for (const block of blocks) {
    for (const [name, shape] of parameterShapes()) {
      const key = nameIn(block, name);
      const title = `the tensor "${key}"`;
      if (!parameters.has(key)) {
        const wanted = blocks.length * count;
        refuse('tensorMissing', { name: key, wanted, n: parameters.size });
      }
      const tensor = /** @type {{ data: unknown }} */ (parameters.get(key));
      checkTensor(title, tensor, shape);
      keys.add(key);
      tensors.push({ title, name, block, size: sizeOf(shape), tensor });
    }
  }
  for (const name of parameters.keys()) {
    if (!keys.has(name)) refuse('tensorExtra', { value: name });
  }
  return tensors;
}

/** As many numbers as are copied without a pause. */
const PIECE_SIZE = 2 ** 20;

/** Writes a file's tensors into the parameters. Pauses now and then, and tells then how many numbers were
 * written. Whoever has the turn meanwhile may take a tensor's memory away, which is refused.
 * @param {Weights} weights @param {readonly FileTensor[]} tensors
 * @returns {Generator<number, true>} */
export function* filling(weights, tensors) {
  let done = 0;
  for (const { title, name, block, size, tensor } of tensors) {
    const parameter = weights.parameters.get(name);
    const data = numbersOf(title, tensor, size);
    for (let offset = 0; offset < size; offset += PIECE_SIZE) {
      const piece = numbersOf(title, { data }, size).subarray(offset, offset + PIECE_SIZE);
      /* A view of its own each time: the memory may have grown. */
      parameter.block(block).set(piece, offset);
      done += piece.length;
      yield done;
    }
  }
  return true;
}
