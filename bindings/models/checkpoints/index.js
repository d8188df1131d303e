// Checkpoints of PyTorch and Hugging Face's transformers: a config.json and named tensors, by tables.

import { FAMILIES } from '../../generated/families.js';
import { checkWord } from '../../js/base/errors.js';
import { isObject } from '../../js/base/values.js';
import { fits, misshaped, Problems, planOf, shown } from './plan.js';
import { writeSettings } from './settings.js';
import { entriesOf, join, split } from './table.js';
import { rangeError, refusing, typeError } from './texts.js';
import { parametersWith } from './variant.js';

/** @typedef {import('../../js/formats/safetensors.js').FileTensor} FileTensor */
/** @typedef {import('../../js/formats/safetensors.js').Values} Values */
/** @typedef {import('./table.js').Family} Family */
/** @typedef {import('./variant.js').ModelConfig} ModelConfig */

/** @type {import('./texts.js').Refuse} */
const refuse = refusing('config.json');

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
  const { config: model, shapes, taken } = planOf(familyOf(config), config, tensors);
  /** @type {Map<string, Float32Array>} */
  const values = new Map();
  for (const { entry, tensor } of taken) {
    const parts = split(entry, /** @type {Float32Array} */ (tensor.data));
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
export function familyOf({ model_type: type }) {
  const families = Object.values(FAMILIES);
  const family = families.find(({ types }) => types.some((one) => one === type));
  if (family) return family;
  const types = families.flatMap(({ types }) => types);
  return refuse('word', { where: 'model_type', words: types.join(', '), given: type });
}

/** Writes a model in one of the formats: what config.json and model.safetensors are to hold. Tensors
 * that the file has as the core does share its memory.
 * @param {string} format 'torch' holds every model, the others those of their family
 * @param {ModelConfig} config @param {Map<string, Values>} parameters
 * @returns {{ config: Record<string, unknown>, tensors: Map<string, Values> }} */
export function writeCheckpoint(format, config, parameters) {
  checkWord('exportModel: format', format, Object.keys(FAMILIES));
  const family = FAMILIES[format];
  if (format !== 'torch' && config.vocab === 0) {
    throw rangeError('vocabDue', { where: 'exportModel', format });
  }
  const settings = writeSettings(format, family, config);
  const shapes = new Map(parametersWith(config));
  const problems = new Problems();
  for (const [name, shape] of shapes) {
    const parameter = parameters.get(name);
    if (!parameter) problems.add('keysMissing', shown(name, shape));
    else if (!fits(parameter.shape, shape)) {
      problems.add('keysShaped', misshaped(name, parameter.shape, shape));
    }
  }
  for (const [name, { shape }] of parameters) {
    if (!shapes.has(name)) problems.add('keysExtra', shown(name, shape));
  }
  if (problems.messages.length) {
    throw rangeError('parametersUnfit', { where: 'exportModel', problems: problems.messages });
  }
  /** @type {Map<string, Values>} */
  const tensors = new Map();
  for (const entry of entriesOf(family, config, shapes)) {
    const parts = entry.ours.map((name) => /** @type {Values} */ (parameters.get(name)).data);
    tensors.set(entry.theirs[0], { shape: entry.shape, data: join(entry, parts) });
  }
  return { config: settings, tensors };
}
