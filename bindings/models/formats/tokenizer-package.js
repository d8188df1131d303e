// The entry that reads tokenizer.json, for whoever can do without: its package may not be installed.

import { failure } from './tokenizer-texts.js';

/** Imports glassformer/tokenizer. */
export const importTokenizer = () =>
  import('./tokenizer.js').catch(() => {
    throw failure('GF_ESTATE', 'noPackage', { name: '@huggingface/tokenizers' });
  });
