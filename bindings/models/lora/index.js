// The entry for adapters of low rank, glassformer/lora (Hu et al. 2021): a model learns with few parameters beside its own,
// which stay as they are.

import { withinFile } from '../../js/base/file.js';
import { atOnce } from '../../js/base/turn.js';
import { readSafetensors } from '../../js/formats/safetensors.js';
import { filling, ownConfig, tensorsOf } from '../../js/model/file.js';
import { weightsOf } from '../../js/model/model.js';
import { LoraModel as Adapted } from './model.js';
import { refusing } from './texts.js';

/** @typedef {import('../../js/model/model.js').Model} Model */
/** @typedef {import('./model.js').LoraConfig} LoraConfig */
/** @typedef {import('./model.js').LoraModel} LoraModel */
/** @typedef {import('./model.js').LoraOptions} LoraOptions */

const PART = 'adapter';

/** @type {import('../../js/base/errors.js').Refuse<typeof import('./texts.js').TEXTS>} */
const refuse = refusing(PART);

/** Gives a model adapters to train: beside each matrix W of the linear layers that `targets` names, A and B of low rank, so
 * that x W becomes x W + (alpha / rank) x A B. The model itself stays as it is, and lends its parameters: dispose of it last.
 * @param {Model} model @param {LoraOptions} [options]
 * @returns {LoraModel}
 * @example
 * import { train } from 'glassformer';
 * import { addLora } from 'glassformer/lora';
 *
 * const model = gf.model({ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 1, maxLength: 16 });
 * const tuned = addLora(model, { rank: 2, targets: ['q_proj', 'v_proj'] });
 * [model.size, tuned.size]; // = [1080, 64]
 * const batch = { target: [[1, 2]], labels: [[2, 3]] };
 * for await (const { step } of train(tuned, [batch, batch], { rate: 0.01 })) console.log(step);
 * tuned.merge();
 * model.save(); // the model, tuned
 * model.dispose(); */
export const addLora = (model, options = {}) => new Adapted('addLora', model, options);

/** A model with the adapters of a file, which `save()` of one like it wrote.
 * @param {Model} model @param {ArrayBuffer | Uint8Array} bytes
 * @returns {LoraModel}
 * @example
 * import { addLora, openLora } from 'glassformer/lora';
 *
 * const model = gf.model({ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 1, maxLength: 16 });
 * const bytes = addLora(model, { rank: 2 }).save();
 * openLora(model, bytes).lora.rank; // = 2 */
export function openLora(model, bytes) {
  weightsOf('openLora', model).check();
  const { tensors, metadata } = readSafetensors(bytes, 'openLora: bytes');
  const { config, step } = ownConfig(metadata);
  if (!('rank' in Object(config))) refuse('notOfLora', {});
  const tuned = withinFile(PART, () => new Adapted('config', model, Object(config)));
  try {
    const weights = weightsOf('openLora', tuned);
    const parameters = [...weights.parameters.values()];
    /** @returns {[string, number[]][]} */
    const shapes = () => parameters.map(({ name, shape }) => [name, [...shape]]);
    atOnce(filling(weights, tensorsOf(shapes, parameters.length, tensors, step)));
    weights.step = step;
  } catch (error) {
    tuned.dispose();
    throw error;
  }
  return tuned;
}
