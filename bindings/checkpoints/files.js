// Models as files of others have them: what a folder of Hugging Face or of PyTorch holds, read and written.
// No core is needed, so that large files can be read in a worker.

import { checkOptions } from '../errors.js';
import { ownConfig, ownParameters } from '../model/file.js';
import { readSafetensors, writeSafetensors } from '../safetensors.js';
import { readCheckpoint, writeCheckpoint } from './index.js';

/** @typedef {import('../model/config.js').Config} Config */
/** @typedef {import('../model/file.js').Parameters} Parameters */
/** @typedef {import('../model/model.js').Model} Model */

/** Reads a model of Hugging Face or of PyTorch, or one of ours: what gf.open takes. Parameters that the
 * file has as the core wants them share its memory.
 * @param {{ config?: unknown, bytes: ArrayBuffer | Uint8Array }} files config.json, parsed, and
 *   model.safetensors; without config, the bytes of model.save()
 * @returns {{ config: Partial<Config>, parameters: Parameters }} */
export function readModel(files) {
  checkOptions('readModel', files, ['config', 'bytes']);
  const { config, bytes } = files;
  const { tensors, metadata } = readSafetensors(bytes);
  if (config !== undefined) return readCheckpoint(config, tensors);
  return { config: ownConfig(metadata).config, parameters: ownParameters(tensors) };
}

/** Writes a model in the names and layouts of others: PyTorch's torch.nn.Transformer, GPT-2, Llama, BERT or
 * Marian. What a folder of theirs holds: config.json, and the bytes of model.safetensors.
 * @param {Model} model
 * @param {'torch' | 'gpt2' | 'llama' | 'bert' | 'marian'} [format]
 * @returns {{ config: Record<string, unknown>, bytes: Uint8Array<ArrayBuffer> }} */
export function exportModel(model, format = 'torch') {
  const { seed, remove, ...config } = model.config;
  if (remove.length) {
    throw new RangeError(`exportModel: no format leaves a step out, received ${remove.join(', ')}`);
  }
  const parameters = new Map(
    [...model.parameters].map(([name, { shape, data }]) => [name, { shape: [...shape], data }]),
  );
  const files = writeCheckpoint(format, config, parameters);
  return { config: files.config, bytes: writeSafetensors(files.tensors) };
}
