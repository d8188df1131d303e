// What a file of llama2.c says, in the words of Hugging Face's config.json and model.safetensors.

import { LLAMA2C } from '../../generated/families.js';

/** @typedef {import('../formats/llama2c.js').Llama2c} Llama2c */
/** @typedef {import('../formats/token-lists.js').TokenLists} TokenLists */
/** @typedef {import('./gguf.js').Ordered} Ordered */
/** @typedef {import('./gguf.js').Said} Said */

/** @param {Llama2c} file
 * @returns {Said} */
export function ofLlama2c({ width, inner, layers, heads, kvHeads, vocab, length, tied, tensors }) {
  /** @type {Map<string, Ordered>} */
  const named = new Map();
  for (const [key, tensor] of tensors) {
    const [name, layer] = key.split('.');
    const pairs = name === 'wq' || name === 'wk' ? width / heads : undefined;
    named.set(LLAMA2C[name].replace('{i}', layer), { ...tensor, pairs });
  }
  return {
    config: {
      model_type: 'llama',
      vocab_size: vocab,
      max_position_embeddings: length,
      hidden_size: width,
      intermediate_size: inner,
      num_hidden_layers: layers,
      num_attention_heads: heads,
      num_key_value_heads: kvHeads,
      tie_word_embeddings: tied,
      rms_norm_eps: 1e-5,
    },
    tensors: named,
  };
}

/** The lists of its tokenizer. The file has blanks in place of the sign that SentencePiece has for them, and lines
 * around the names of what begins and ends a text.
 * @param {{ tokens: string[], scores: Float32Array }} file
 * @returns {TokenLists} */
export const tokenListsOfLlama2c = ({ tokens, scores }) => ({
  model: 'llama',
  tokens: tokens.map((token, id) => (id < 3 ? token.trim() : token.replaceAll(' ', '▁'))),
  types: tokens.map((_, id) => (id === 0 ? 2 : id < 3 ? 3 : 1)),
  scores,
  unknown: 0,
  bos: 1,
  eos: 2,
});
