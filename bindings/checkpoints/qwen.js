// Qwen2 and Qwen3 of Hugging Face's transformers: Llama, whose queries, keys and values have a bias; or with heads of any
// size, whose queries and keys are normalised.

import { llama } from './llama.js';
import { under } from './table.js';

/** @typedef {import('./table.js').Family} Family */

const { bias: attentionBias, ...settings } = llama.settings;

/** @param {import('./table.js').Settings} given */
const defaults = (given) => ({ ...llama.defaults(given), use_sliding_window: false });

/** Windows are switched on apart from their size. @param {import('./table.js').Settings} given */
const demands = (given) => ({
  ...llama.demands(given),
  sliding_window: given.sliding_window,
  use_sliding_window: false,
});

/** @param {string} architecture */
const write = (architecture) => () => ({
  architectures: [architecture],
  hidden_act: 'silu',
  use_sliding_window: false,
});

/** @type {Family} */
export const qwen2 = {
  ...llama,
  types: ['qwen2'],
  settings,
  defaults,
  demands,
  write: write('Qwen2ForCausalLM'),
  fixed: (config) => ({ ...llama.fixed(config), bias: false, qkvBias: true }),
};

/** @type {Family} */
export const qwen3 = {
  ...llama,
  types: ['qwen3'],
  settings: { ...settings, headSize: 'head_dim' },
  defaults: (given) => ({ ...defaults(given), head_dim: 128 }),
  demands: (given) => ({
    ...demands(given),
    head_dim: given.head_dim,
    attention_bias: false,
  }),
  write: write('Qwen3ForCausalLM'),
  fixed: (config) => ({ ...llama.fixed(config), bias: false, qkNorm: true }),
  rows: (config) => [
    ...llama.rows(config),
    ...under('decoder.layers.{i}', 'model.layers.{i}', [
      ['self_attn.{x}_norm.{p}', 'self_attn.{x}_norm.{p}'],
    ]),
  ],
};
