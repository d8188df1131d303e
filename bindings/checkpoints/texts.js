// The sentences of errors about checkpoints of others, and what throws with them.

import { sentences } from '../base/errors.js';

/** What refuses a file with them.
 * @typedef {import('../base/errors.js').Refuse<typeof TEXTS & typeof import('../base/texts.js').TEXTS>} Refuse */

export const TEXTS = /** @type {const} */ ({
  nothing: 'nothing',
  map: 'expected a Map of tensors',
  missing: '{name} is missing',
  fewTensors: 'config.json asks for {tensors} parameters, and the file has {n} tensors',
  wordAs: 'expected one of {words}, received {described}',
  valueAs: 'expected {expected}, received {described}',
  inFormat: '{format} has {field} {expected}',
  notInFormat: '{format} has no {field} {value}',
  noFormat: 'there is no format {value}',
  vocabDue: '{format} has an embedding, received vocab 0',
  removedInFormat: 'no format leaves a step out, received {names}',
  keysUnfit: 'keys do not fit: {problems}',
  parametersUnfit: 'parameters do not fit: {problems}',
  andMore: '{text} and {n} more',
  keysMissing: '{n} missing: {keys}',
  keysExtra: '{n} extra: {keys}',
  keysShaped: '{n} of another shape (received ≠ expected): {keys}',
  keysTyped: '{n} of another dtype: {keys}',
  keysTwice: '{n} given twice: {keys}',
  keysTwins: '{n} unlike their twins: {keys}',
  keysUnlike: '{n} unlike what is computed: {keys}',
  pickle:
    'this is a pickle of PyTorch, which can run programs: convert it to safetensors as docs/files.md shows',
  unknownFile: 'expected a file of GGUF, safetensors or llama2.c',
  shardName: '{value} is not the name of a safetensors file in the same folder',
  settingUnread: 'the setting {value} is not supported',
  textArray: 'expected an array of texts',
  twinUnlike: 'the tensor {value} has another copy with other numbers',
  checkpoint: 'expected what openCheckpoint gives',
  notStored: 'the core cannot keep "{name}" as {dtype}: open the file without stored',
  variantDue:
    'this family needs the core of glassformer/models: open its files with openCheckpoint and openModel',
  variantNotSaved: 'save has no room for what this family has besides: write it with exportModel',
  storedNotSaved:
    '{n} matrices are stored as their file has them: copy the file, or open it without stored',
});

export const { failure, message, rangeError, refusing, typeError } =
  /* @__PURE__ */ sentences(TEXTS);
