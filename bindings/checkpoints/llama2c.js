// What a file of llama2.c says, in the words of Hugging Face's config.json and model.safetensors.

/** @typedef {import('../formats/llama2c.js').Llama2c} Llama2c */
/** @typedef {import('../formats/token-lists.js').TokenLists} TokenLists */
/** @typedef {import('./gguf.js').Ordered} Ordered */
/** @typedef {import('./gguf.js').Said} Said */

/** @type {Record<string, (layer: string) => string>} */
const NAMES = {
  token_embedding_table: () => 'model.embed_tokens.weight',
  rms_att_weight: (i) => `model.layers.${i}.input_layernorm.weight`,
  wq: (i) => `model.layers.${i}.self_attn.q_proj.weight`,
  wk: (i) => `model.layers.${i}.self_attn.k_proj.weight`,
  wv: (i) => `model.layers.${i}.self_attn.v_proj.weight`,
  wo: (i) => `model.layers.${i}.self_attn.o_proj.weight`,
  rms_ffn_weight: (i) => `model.layers.${i}.post_attention_layernorm.weight`,
  w1: (i) => `model.layers.${i}.mlp.gate_proj.weight`,
  w2: (i) => `model.layers.${i}.mlp.down_proj.weight`,
  w3: (i) => `model.layers.${i}.mlp.up_proj.weight`,
  rms_final_weight: () => 'model.norm.weight',
  wcls: () => 'lm_head.weight',
};

/** @param {Llama2c} file
 * @returns {Said} */
export function ofLlama2c({ width, inner, layers, heads, kvHeads, vocab, length, tied, tensors }) {
  /** @type {Map<string, Ordered>} */
  const named = new Map();
  for (const [key, tensor] of tensors) {
    const [name, layer] = key.split('.');
    const pairs = name === 'wq' || name === 'wk' ? width / heads : undefined;
    named.set(NAMES[name](layer), { ...tensor, pairs });
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
