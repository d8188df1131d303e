// Models as others have them: what a folder of Hugging Face or of PyTorch holds, read and written. No core is
// needed: a worker can do it.

import { checkOptions } from '../../js/base/errors.js';
import { readSafetensors, writeSafetensors } from '../../js/formats/safetensors.js';
import { weightsOf } from '../../js/model/model.js';
import { readCheckpoint, writeCheckpoint } from './index.js';
import { rangeError, refusing } from './texts.js';
import { variantOf } from './variant.js';

/** @typedef {import('../../js/model/file.js').Read} Read */
/** @typedef {import('../../js/model/model.js').Model} Model */

/** Reads a model of Hugging Face or of PyTorch: what gf.open takes. Parameters that already have the core's
 * layout share the file's memory.
 * @param {{ config: unknown, bytes: ArrayBuffer | Uint8Array }} files config.json, parsed, and
 *   model.safetensors
 * @returns {Read}
 * @example
 * import { exportModel, importModel } from 'glassformer';
 *
 * const model = gf.model({ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 1 });
 * const { config, bytes } = exportModel(model, 'gpt2'); // or the two files of a folder
 * gf.open(importModel({ config, bytes })).size === model.size; // = true */
export function importModel(files) {
  checkOptions('importModel', files, ['config', 'bytes']);
  const read = readCheckpoint(
    files.config,
    readSafetensors(files.bytes, 'importModel: bytes').tensors,
  );
  if (variantOf(read.config)) refusing('config.json')('variantDue', {});
  return read;
}

/** Writes a model in the names and layouts of others: PyTorch's torch.nn.Transformer, GPT-2, Llama, Qwen2, Qwen3, GPT-Neo, GPT-NeoX, BERT,
 * RoBERTa, DistilBERT, ALBERT or Marian. Gives what such a folder holds: config.json and the bytes of model.safetensors.
 * @param {Model} model
 * @param {'torch' | 'gpt2' | 'llama' | 'qwen2' | 'qwen3' | 'gpt_neo' | 'gpt_neox' | 'bert' | 'roberta' | 'distilbert' | 'albert' | 'marian'} [format]
 * @returns {{ config: Record<string, unknown>, bytes: import('../../js/formats/safetensors.js').Bytes }}
 * @example
 * import { exportModel } from 'glassformer';
 *
 * const model = gf.model({ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 1 });
 * const { config, bytes } = exportModel(model, 'gpt2');
 * config.n_embd; // = 8
 * bytes instanceof Uint8Array; // = true */
export function exportModel(model, format = 'torch') {
  const { maxLength } = weightsOf('exportModel', model).config;
  const { seed, remove, ...config } = { ...model.config, maxLength };
  if (remove.length) {
    throw rangeError('removedInFormat', { where: 'exportModel', names: remove.join(', ') });
  }
  const parameters = new Map(
    [...model.parameters].map(([name, { shape, data }]) => [name, { shape: [...shape], data }]),
  );
  const files = writeCheckpoint(format, config, parameters);
  return { config: files.config, bytes: writeSafetensors(files.tensors) };
}
