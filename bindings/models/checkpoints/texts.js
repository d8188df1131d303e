// The sentences of errors about checkpoints of others, and what throws with them.

import { sentences } from '../../js/base/errors.js';

/** What refuses a file with them.
 * @typedef {import('../../js/base/errors.js').Refuse<typeof TEXTS & typeof import('../../js/base/texts.js').TEXTS>} Refuse */

export const TEXTS = /** @type {const} */ ({
  nothing: 'nothing',
  map: 'expected a Map of tensors',
  missing: '{name} is missing',
  numberAbove: 'expected a number above {low}',
  fewTensors: 'config.json asks for {tensors} parameters, and the file has {n} tensors',
  wordAs: 'expected one of {words}, received {described}',
  valueAs: 'expected {expected}, received {described}',
  biasesUnlike: 'expected the same as mlp_bias, which is {other}',
  inFormat: '{format} has {field} {expected}',
  notInFormat: '{format} has no {field} {value}',
  vocabDue: '{format} needs a token embedding: this model has none (vocab 0)',
  removedInFormat: 'no format can say that steps are removed: this model is without {names}',
  keysUnfit: 'keys do not fit: {problems}',
  parametersUnfit: 'parameters do not fit: {problems}',
  andMore: '{text} and {n} more',
  keysMissing: '{n} missing: {keys}',
  keysExtra: '{n} extra: {keys}',
  keysShaped: '{n} of another shape (received ≠ expected): {keys}',
  keysTyped: '{n} of another dtype: {keys}',
  keysTwice: '{n} given twice: {keys}',
  keysTwins: '{n} that should equal another tensor: {keys}',
  keysUnlike: '{n} that differ from what Glassformer computes: {keys}',
  pickle:
    'this is a pickle of PyTorch, which can run programs: convert it to safetensors as docs/files.md shows',
  unknownFile: 'expected a file of GGUF, safetensors or llama2.c',
  packed: 'it is an archive: unpack it, and open what is in it',
  describes: 'it describes a model, whose folder is what to open',
  noShards: 'no file of weights is named',
  shardName: '{value} is not the name of a safetensors file in the same folder',
  configMissing:
    'is missing: safetensors do not say what model they are of. Open the folder, or all of its files, config.json among them, or pass what that says as config',
  settingUnread: 'the setting {value} is not supported',
  noPre:
    'is missing, so texts are cut into words as for GPT-2. If the model was trained with other words, convert it again with a newer llama.cpp',
  textArray: 'expected an array of strings',
  twinUnlike: 'the file has two copies of the tensor {value}, and their numbers differ',
  checkpoint: 'expected what openCheckpoint gives',
  notStored: 'the core cannot keep "{name}" as {dtype}: open the file without stored',
  variantDue:
    'this family needs the core of glassformer/models: open its files with openCheckpoint and openModel',
  variantNotSaved: 'save cannot write a model of this family: write it with exportModel',
  integersExpanded: 'expected stored: true with "integer", or "exact"',
  noIntegers:
    'expected "exact": the file stores {types}, and "integer" needs matrices of Q4, Q5, Q6 or Q8',
  storedNotSaved:
    '{n} matrices are stored as their file has them: copy the file, or open it without stored',
});

export const { failure, message, rangeError, refusing, typeError } =
  /* @__PURE__ */ sentences(TEXTS);
