// The sentences of errors about the files of a model, and what throws with them.

import { sentences } from '../../js/base/errors.js';

/** What refuses a file with them.
 * @typedef {import('../../js/base/errors.js').Refuse<typeof TEXTS & typeof import('../../js/base/texts.js').TEXTS>} Refuse */

export const TEXTS = /** @type {const} */ ({
  threadsOfCore:
    'a core has the threads: const gf = await load({ core: threads(2) }), then open(source, { gf }); threads is of glassformer/cores',
  severalModels: 'expected the files of one model, received several: {names}',
  noWeights:
    'expected a file of weights: model.safetensors, its index, NAME.gguf or NAME.bin; the files are {names}',
  noTokenizerFile:
    'there is no tokenizer: expected tokenizer.json beside the weights of Hugging Face, or tokenizer.bin beside those of llama2.c',
  noTokenizerEntry:
    'tokenizer.json needs the package @huggingface/tokenizers: install it, and in a page pass openTokenizer of glassformer/tokenizer',
  noVocabulary:
    'the file has no vocabulary: it was written without one, so its model takes ids alone',
  noIntegersOfOurs: 'expected "exact": a file of model.save() stores no integers',
  wordUnknown: 'expected what the vocabulary has: there is no unknown token',
});

export const { failure, rangeError, refusing, typeError } = /* @__PURE__ */ sentences(TEXTS);
