// What the fields of a model may be, for files that say it.

/** @typedef {Omit<import('../model/config.js').Config, 'seed' | 'remove'>} ModelConfig */
/** @typedef {{ expected: string, test: (value: any) => boolean }} Rule */

/** @param {number} low @param {number} high
 * @returns {Rule} */
const integer = (low, high) => ({
  expected: `an integer from ${low} to ${high}`,
  test: (value) => Number.isInteger(value) && value >= low && value <= high,
});

/** @param {string} expected @param {(value: number) => boolean} within
 * @returns {Rule} */
const number = (expected, within) => ({
  expected,
  test: (value) => typeof value === 'number' && within(value),
});

/** @param {string[]} names
 * @returns {Rule} */
const oneOf = (...names) => ({
  expected: names.map((name) => `"${name}"`).join(', '),
  test: (value) => names.includes(value),
});

/** @type {Rule} */
const flag = { expected: 'true or false', test: (value) => typeof value === 'boolean' };

/* The core's own bounds. */
const some = integer(1, 2 ** 24);
const someOrNone = integer(0, 2 ** 24);
const depth = integer(0, 1024);

/** @type {Record<keyof ModelConfig, Rule>} */
export const RULES = {
  kind: oneOf('transformer', 'gpt', 'bert'),
  vocab: someOrNone,
  sourceVocab: someOrNone,
  tokenTypes: someOrNone,
  maxLength: some,
  dModel: some,
  heads: some,
  kvHeads: some,
  dFF: some,
  layers: depth,
  decoderLayers: depth,
  positions: oneOf('sinusoidal', 'sinusoidal-halves', 'learned', 'rotary', 'alibi', 'none'),
  norm: oneOf('layer', 'rms'),
  preNorm: flag,
  finalNorm: flag,
  embeddingNorm: flag,
  activation: oneOf('relu', 'gelu', 'gelu-tanh', 'silu', 'swiglu'),
  bias: flag,
  tied: flag,
  outputBias: flag,
  scaleEmbedding: flag,
  pooler: flag,
  prediction: flag,
  interleaved: flag,
  rotaryBase: number('a number above 0, up to 1e30', (value) => value > 0 && value <= 1e30),
  epsilon: number('a number from 0 to 1', (value) => value >= 0 && value <= 1),
  dropout: number('a number from 0 to below 1', (value) => value >= 0 && value < 1),
};

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
  interleaved: false,
  rotaryBase: 10000,
  dropout: 0,
};

/** What is wrong between the fields, or null.
 * @param {ModelConfig} config @param {(field: keyof ModelConfig) => string} called */
export function conflictOf({ dModel, heads, kvHeads, positions }, called) {
  /** @param {keyof ModelConfig} part @param {number} a @param {keyof ModelConfig} whole @param {number} b */
  const divides = (part, a, whole, b) =>
    b % a ? `${called(part)} ${a} does not divide ${called(whole)} ${b}` : null;
  const odd = positions === 'rotary' && (dModel / heads) % 2;
  return (
    divides('heads', heads, 'dModel', dModel) ??
    divides('kvHeads', kvHeads, 'heads', heads) ??
    (odd ? `rotary positions need heads of even size, received ${dModel / heads}` : null)
  );
}
