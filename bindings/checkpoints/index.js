// Checkpoints of PyTorch and Hugging Face's transformers: a config.json and named tensors, by tables.

import { near } from '../base/errors.js';
import { extentOf, parametersOf } from '../model/config/parameters.js';
import { bert } from './bert.js';
import { File, isEqual } from './file.js';
import { gpt2 } from './gpt2.js';
import { llama } from './llama.js';
import { marian } from './marian.js';
import { isObject, readSettings, writeSettings } from './settings.js';
import { entriesOf, join, split } from './table.js';
import { message, rangeError, refusing, typeError } from './texts.js';
import { torch } from './torch.js';

/** @typedef {import('../formats/safetensors.js').FileTensor} FileTensor */
/** @typedef {import('../formats/safetensors.js').Values} Values */
/** @typedef {import('./config.js').ModelConfig} ModelConfig */
/** @typedef {import('./table.js').Entry} Entry */
/** @typedef {import('./table.js').Family} Family */
/** @typedef {keyof typeof FORMATS} Format */

const FORMATS = { torch, gpt2, llama, bert, marian };
const FAMILIES = Object.values(FORMATS);

/** @typedef {'keysMissing' | 'keysExtra' | 'keysShaped' | 'keysTyped' | 'keysTwice' | 'keysTwins' | 'keysUnlike'} Wrong */

/** @type {import('./texts.js').Refuse} */
const refuse = refusing('config.json');

/** How many keys a message names of each kind. */
const MOST = 10;
/** What is missing is told by name where a file's tensors, of which each holds fewer than so many parameters,
 * come near to the config: so many parameters in any case. */
const SHARED = 8;
const FREE = 256;

/** Keys that do not fit, by what is wrong with them. */
class Problems {
  /** @type {Map<Wrong, string[]>} */
  #all = new Map();

  /** @param {Wrong} wrong @param {string} key */
  add(wrong, key) {
    const keys = this.#all.get(wrong);
    if (keys) keys.push(key);
    else this.#all.set(wrong, [key]);
  }

  /** "2 missing: a [8], b [2,3]", "1 extra: c [4]"; empty if nothing is wrong. */
  get told() {
    return [...this.#all].map(([wrong, all]) => {
      const keys = all.slice(0, MOST).join(', ');
      const rest = all.length - MOST;
      return message(wrong, {
        n: all.length,
        keys: rest > 0 ? message('andMore', { text: keys, n: rest }) : keys,
      });
    });
  }
}

/** @param {string} key @param {readonly number[]} shape */
const shown = (key, shape) => `${JSON.stringify(key.slice(0, 100))} [${shape}]`;

/** @param {string} key @param {readonly number[]} shape @param {readonly number[]} expected */
const misshaped = (key, shape, expected) => `${shown(key, shape)} ≠ [${expected}]`;

/** @param {readonly number[]} a @param {readonly number[]} b */
const fits = (a, b) => String(a) === String(b);

/** Takes the tensor of an entry out of the file; null if something is wrong.
 * @param {File} file @param {Entry} entry @param {Problems} problems
 * @returns {Float32Array | null} */
function take(file, { theirs, shape }, problems) {
  const [found, ...twins] = theirs.flatMap((name) => file.take(name) ?? []);
  if (!found) {
    problems.add('keysMissing', shown(file.called(theirs[0]), shape));
    return null;
  }
  const { key, tensor } = found;
  for (const twin of twins) {
    if (isEqual(tensor, twin.tensor)) continue;
    problems.add('keysTwins', `${shown(twin.key, twin.tensor.shape)} ≠ "${key}"`);
  }
  if (!fits(tensor.shape, shape)) {
    problems.add('keysShaped', misshaped(key, tensor.shape, shape));
    return null;
  }
  if (tensor.data instanceof Float32Array) return tensor.data;
  problems.add('keysTyped', `${shown(key, shape)} ${tensor.dtype}`);
  return null;
}

/** Refuses a config of far more tensors than the file has, before they are named one by one.
 * @param {Family} family @param {ModelConfig} config @param {number} given */
function checkCount(family, config, given) {
  const { tensors } = extentOf(config);
  if (tensors <= FREE + SHARED * given) return;
  refusing(family.types[0])('fewTensors', { tensors, n: given });
}

/** Reads a model: config.json, parsed, and the tensors of model.safetensors. Refuses, in one error,
 * every key that is missing, extra or of another shape. Tensors that the file has as the core wants
 * them share its memory.
 * @param {unknown} config @param {Map<string, FileTensor>} tensors
 * @returns {{ config: ModelConfig, parameters: Map<string, Values> }} */
export function readCheckpoint(config, tensors) {
  if (!(tensors instanceof Map)) {
    throw typeError('map', { where: 'readCheckpoint', given: tensors });
  }
  if (!isObject(config)) {
    refuse('object', { given: config });
  }
  const family = familyOf(config);
  const file = new File(family, tensors);
  const model = readSettings(family, config, file);
  checkCount(family, model, tensors.size);
  const shapes = new Map(parametersOf(model));
  const problems = new Problems();
  const entries = entriesOf(family, model, shapes).map((entry) => ({
    entry,
    data: take(file, entry, problems),
  }));
  for (const { key, tensor } of file.rest) problems.add('keysExtra', shown(key, tensor.shape));
  for (const { key, tensor } of file.doubles) problems.add('keysTwice', shown(key, tensor.shape));
  for (const { key, tensor } of family.flaws?.(model, file) ?? []) {
    problems.add('keysUnlike', shown(key, tensor.shape));
  }
  if (problems.told.length) {
    refusing(family.types[0])('keysUnfit', { problems: problems.told });
  }
  /** @type {Map<string, Float32Array>} */
  const values = new Map();
  for (const { entry, data } of entries) {
    const parts = split(entry, /** @type {Float32Array} */ (data));
    for (const [i, name] of entry.ours.entries()) values.set(name, parts[i]);
  }
  /** @type {Map<string, Values>} */
  const parameters = new Map();
  for (const [name, shape] of shapes) {
    parameters.set(name, { shape, data: /** @type {Float32Array} */ (values.get(name)) });
  }
  return { config: model, parameters };
}

/** @param {Record<string, unknown>} config
 * @returns {Family} */
function familyOf({ model_type: type }) {
  const family = FAMILIES.find(({ types }) => types.some((one) => one === type));
  if (family) return family;
  const known = FAMILIES.flatMap(({ types }) => types);
  return refuse('word', { where: 'model_type', words: known.join(', '), given: type });
}

/** Writes a model in one of the formats: what config.json and model.safetensors are to hold. Tensors
 * that the file has as the core does share its memory.
 * @param {Format} format 'torch' holds every model, the others those of their family
 * @param {ModelConfig} config @param {Map<string, Values>} parameters
 * @returns {{ config: Record<string, unknown>, tensors: Map<string, Values> }} */
export function writeCheckpoint(format, config, parameters) {
  if (!Object.hasOwn(FORMATS, format)) {
    const hint = near(String(format), Object.keys(FORMATS));
    throw rangeError('noFormat', { where: 'writeCheckpoint', value: format, hint });
  }
  const family = FORMATS[format];
  if (family !== torch && config.vocab === 0) {
    throw rangeError('vocabDue', { where: 'writeCheckpoint', format });
  }
  const settings = writeSettings(format, family, config);
  const shapes = new Map(parametersOf(config));
  const problems = new Problems();
  for (const [name, shape] of shapes) {
    const given = parameters.get(name);
    if (!given) problems.add('keysMissing', shown(name, shape));
    else if (!fits(given.shape, shape)) {
      problems.add('keysShaped', misshaped(name, given.shape, shape));
    }
  }
  for (const [name, { shape }] of parameters) {
    if (!shapes.has(name)) problems.add('keysExtra', shown(name, shape));
  }
  if (problems.told.length) {
    const told = { where: 'writeCheckpoint', problems: problems.told };
    throw rangeError('parametersUnfit', told);
  }
  /** @type {Map<string, Values>} */
  const tensors = new Map();
  for (const entry of entriesOf(family, config, shapes)) {
    const parts = entry.ours.map((name) => /** @type {Values} */ (parameters.get(name)).data);
    tensors.set(entry.theirs[0], { shape: entry.shape, data: join(entry, parts) });
  }
  return { config: settings, tensors };
}
