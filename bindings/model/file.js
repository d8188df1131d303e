// A model as one file: safetensors with the parameters by our names and the config beside them; to go on
// training, Adam's moments too.

import { GlassformerError, show } from '../base/errors.js';
import { readSafetensors, writeSafetensors } from '../formats/safetensors.js';

/** @typedef {import('./config/config.js').Config} Config */
/** @typedef {import('./weights.js').Weights} Weights */
/** @typedef {Map<string, { shape: readonly number[], data: Float32Array | Int32Array }>} Parameters */
/** What a file holds.
 * @typedef {object} Read
 * @property {Partial<Config>} config
 * @property {Parameters} parameters after training steps, with Adam's moments as m.NAME and v.NAME
 * @property {number} [step] training steps taken, with all that it takes to go on; 0 by default */

const FORMAT = 'glassformer';
/** The moments' names begin with these. */
const MOMENTS = /** @type {const} */ (['m', 'v']);

/** @param {string} reason
 * @returns {never} */
function refuse(reason) {
  throw new GlassformerError('GF_EFILE', `model: ${reason}`);
}

/** @param {Weights} weights @param {Config} config @param {number} step @param {boolean} training */
export function writeModel(weights, config, step, training) {
  const blocks = ['values', ...(training && step ? MOMENTS : [])];
  const tensors = blocks.flatMap((block) =>
    [...weights.parameters.values()].map(
      (parameter) =>
        /** @type {[string, { shape: number[], data: Float32Array }]} */ ([
          block === 'values' ? parameter.name : `${block}.${parameter.name}`,
          { shape: [...parameter.shape], data: parameter.block(block) },
        ]),
    ),
  );
  const notes = { format: FORMAT, config: JSON.stringify(config) };
  return writeSafetensors(tensors, training ? { ...notes, step: String(step) } : notes);
}

/** @param {Record<string, string>} metadata of a file */
function ownConfig(metadata) {
  if (metadata.format !== FORMAT) {
    refuse(`expected a file of model.save(), received one of format ${show(metadata.format)}`);
  }
  const step = Number(metadata.step ?? 0);
  if (!Number.isInteger(step) || step < 0) refuse(`the step is ${show(metadata.step)}`);
  let config;
  try {
    config = JSON.parse(metadata.config);
  } catch {
    refuse(`the config is ${show(metadata.config)}`);
  }
  return { config, step };
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
  const { tensors, metadata } = readSafetensors(bytes);
  return { ...ownConfig(metadata), parameters: tensors };
}

/** As many numbers as are copied without a pause. */
const PIECE = 2 ** 20;

/** Writes the tensors into the parameters: all of them, and no others. Pauses now and then, and tells
 * then how many numbers were written.
 * @param {Weights} weights @param {Parameters} tensors
 * @param {boolean} training whether the moments must be there too
 * @returns {Generator<number, true>} */
export function* filling(weights, tensors, training) {
  const due = new Map();
  for (const block of ['values', ...(training ? MOMENTS : [])]) {
    for (const parameter of weights.parameters.values()) {
      const name = block === 'values' ? parameter.name : `${block}.${parameter.name}`;
      due.set(name, { parameter, block });
    }
  }
  for (const [name, { parameter }] of due) {
    const tensor = tensors.get(name);
    if (!tensor) refuse(`the tensor "${name}" is missing`);
    if (!Array.isArray(tensor.shape) || !ArrayBuffer.isView(tensor.data)) {
      refuse(`the tensor "${name}" is ${show(tensor)}, expected { shape, data }`);
    }
    if (tensor.shape.join() !== parameter.shape.join()) {
      refuse(`the tensor "${name}" is [${tensor.shape}], expected [${parameter.shape}]`);
    }
    if (tensor.data.length === parameter.size) continue;
    refuse(`the tensor "${name}" has ${tensor.data.length} numbers, expected ${parameter.size}`);
  }
  for (const name of tensors.keys()) {
    if (!due.has(name)) refuse(`the model has no place for the tensor "${name}"`);
  }
  let done = 0;
  for (const [name, { parameter, block }] of due) {
    const { data } = /** @type {{ data: Float32Array }} */ (tensors.get(name));
    for (let at = 0; at < data.length; at += PIECE) {
      const piece = data.subarray(at, at + PIECE);
      /* A view of its own each time: the memory may have grown. */
      parameter.block(block).set(piece, at);
      done += piece.length;
      yield done;
    }
  }
  return true;
}
