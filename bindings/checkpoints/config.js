// The fields of a model that files of others tell.

/** @typedef {import('../model/config/parameters.js').ModelConfig & Partial<import('./variant.js').Variant>} ModelConfig */

/** What Hugging Face calls the activations; of several names the first is written.
 * @type {Record<string, string>} */
export const ACTIVATIONS = {
  relu: 'relu',
  gelu: 'gelu',
  gelu_python: 'gelu',
  gelu_new: 'gelu-tanh',
  gelu_fast: 'gelu-tanh',
  gelu_pytorch_tanh: 'gelu-tanh',
  silu: 'silu',
  swish: 'silu',
};

/** Fields of what not every family has, where a family says nothing of them. */
export const NEUTRAL = {
  sourceVocab: 0,
  tokenTypes: 0,
  decoderLayers: 0,
  embeddingNorm: false,
  outputBias: false,
  scaleEmbedding: false,
  pooler: false,
  prediction: false,
  head: 'logits',
  interleaved: false,
  rotaryBase: 10000,
  dropout: 0,
};
