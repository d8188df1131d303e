// What of a file becomes which parameter, decided by its config and the shapes of its tensors: their numbers may not
// have been read yet.

import { extentOf } from '../../js/model/config/parameters.js';
import { File, isEqual } from './file.js';
import { readSettings } from './settings.js';
import { entriesOf } from './table.js';
import { message, refusing } from './texts.js';
import { parametersWith } from './variant.js';

/** @typedef {import('../../js/formats/safetensors.js').Values} Values */
/** @typedef {import('./file.js').Named} Named */
/** @typedef {import('./table.js').Entry} Entry */
/** @typedef {import('./table.js').Family} Family */
/** @typedef {import('./variant.js').ModelConfig} ModelConfig */

/** A tensor of the file with the others that must be equal to it, and where their numbers go.
 * @template {Named} T
 * @typedef {{ entry: Entry, key: string, tensor: T, twins: T[] }} Taken */

/** @typedef {'keysMissing' | 'keysExtra' | 'keysShaped' | 'keysTyped' | 'keysTwice' | 'keysTwins' | 'keysUnlike'} Wrong */

/** How many keys a message names of each kind. */
const MAX_NAMED_KEYS = 10;
/** What is missing is told by name where a file's tensors, of which each holds fewer than so many parameters,
 * come near to the config: so many parameters in any case. */
const TENSORS_PER_FILE_TENSOR = 8;
const MIN_TENSORS = 256;

/** Keys that do not fit, by what is wrong with them. */
export class Problems {
  /** @type {Map<Wrong, string[]>} */
  #all = new Map();

  /** @param {Wrong} wrong @param {string} key */
  add(wrong, key) {
    const keys = this.#all.get(wrong);
    if (keys) keys.push(key);
    else this.#all.set(wrong, [key]);
  }

  /** "2 missing: a [8], b [2,3]", "1 extra: c [4]"; empty if nothing is wrong. */
  get messages() {
    return [...this.#all].map(([wrong, all]) => {
      const keys = all.slice(0, MAX_NAMED_KEYS).join(', ');
      const rest = all.length - MAX_NAMED_KEYS;
      return message(wrong, {
        n: all.length,
        keys: rest > 0 ? message('andMore', { text: keys, n: rest }) : keys,
      });
    });
  }
}

/** @param {string} key @param {readonly number[]} shape */
export const shown = (key, shape) => `${JSON.stringify(key.slice(0, 100))} [${shape}]`;

/** @param {string} key @param {readonly number[]} shape @param {readonly number[]} expected */
export const misshaped = (key, shape, expected) => `${shown(key, shape)} ≠ [${expected}]`;

/** @param {readonly number[]} a @param {readonly number[]} b */
export const fits = (a, b) => String(a) === String(b);

/** Takes the tensor of an entry out of the file; null if something is wrong.
 * @template {Named} T
 * @param {File<T>} file @param {Entry} entry @param {Problems} problems
 * @returns {Taken<T> | null} */
function take(file, entry, problems) {
  const { theirs, shape } = entry;
  const [first, ...others] = theirs.flatMap((name) => file.take(name) ?? []);
  if (!first) {
    problems.add('keysMissing', shown(file.called(theirs[0]), shape));
    return null;
  }
  const { key, tensor } = first;
  for (const twin of others) {
    if (isEqual(tensor, twin.tensor)) continue;
    problems.add('keysTwins', `${shown(twin.key, twin.tensor.shape)} ≠ "${key}"`);
  }
  if (!fits(tensor.shape, shape)) {
    problems.add('keysShaped', misshaped(key, tensor.shape, shape));
    return null;
  }
  if (tensor.data && !(tensor.data instanceof Float32Array)) {
    problems.add('keysTyped', `${shown(key, shape)} ${tensor.dtype}`);
  }
  return { entry, key, tensor, twins: others.map((twin) => twin.tensor) };
}

/** BF16 is off by half of this; another kind of sinusoids by far more. */
const TOLERANCE = 2 ** -8;

/** All sines, then all cosines.
 * @param {number} position @param {number} column @param {number} width */
function sinusoid(position, column, width) {
  const sines = Math.ceil(width / 2);
  const angle = position / 10000 ** ((2 * (column % sines)) / width);
  return column < sines ? Math.sin(angle) : Math.cos(angle);
}

/** Whether positions are those that the core computes.
 * @param {Named} tensor @param {number} width */
const areSinusoids = ({ data }, width) =>
  data?.every((value, i) => {
    const expected = sinusoid(Math.floor(i / width), i % width, width);
    return Math.abs(value - expected) <= TOLERANCE;
  });

/** Refuses a config of far more tensors than the file has, before they are named one by one.
 * @param {Family} family @param {ModelConfig} config @param {number} count */
function checkCount(family, config, count) {
  const { tensors } = extentOf(config);
  if (tensors <= MIN_TENSORS + TENSORS_PER_FILE_TENSOR * count) return;
  refusing(family.types[0])('fewTensors', { tensors, n: count });
}

/** Holds a file against its config. Refuses, in one error, every key that is missing, extra or of another shape.
 * @template {Named} T
 * @param {Family} family @param {Record<string, unknown>} config @param {Map<string, T>} tensors
 * @param {string} [part] of the file where its config stands
 * @returns {{ config: ModelConfig, shapes: Map<string, number[]>, taken: Taken<T>[] }} */
export function planOf(family, config, tensors, part) {
  const file = new File(family, tensors);
  const model = readSettings(family, config, file, part);
  checkCount(family, model, tensors.size);
  const shapes = new Map(parametersWith(model));
  const problems = new Problems();
  const taken = entriesOf(family, model, shapes).map((entry) => take(file, entry, problems));
  for (const { key, tensor } of file.rest) problems.add('keysExtra', shown(key, tensor.shape));
  for (const { key, tensor } of file.doubles) problems.add('keysTwice', shown(key, tensor.shape));
  for (const name of family.sinusoids) {
    const table = file.find(name);
    if (!table || areSinusoids(table.tensor, model.dModel)) continue;
    problems.add('keysUnlike', shown(table.key, table.tensor.shape));
  }
  const { messages } = problems;
  if (messages.length) refusing(family.types[0])('keysUnfit', { problems: messages });
  return { config: model, shapes, taken: taken.filter((one) => one !== null) };
}
