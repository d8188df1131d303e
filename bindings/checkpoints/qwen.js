// Qwen2 and Qwen3 of Hugging Face's transformers: Llama, whose queries, keys and values have a bias; or with heads of any
// size, whose queries and keys are normalised.

import { llama } from './llama.js';
import { under } from './table.js';
import { eachLayer, windowedLayers, windowsOf } from './windows.js';

/** @typedef {import('./table.js').Family} Family */

const { bias: attentionBias, ...settings } = llama.settings;

/** @param {import('./table.js').Settings} given */
const defaults = (given) => ({
  ...llama.defaults(given),
  use_sliding_window: false,
  max_window_layers: 28,
});

/** Windows are switched on apart from their size: in layers that are listed, or from one on.
 * @param {import('./table.js').Settings} given */
function windows(given) {
  if (!given.use_sliding_window) return {};
  const listed = given.layer_types;
  const windowed = Array.isArray(listed)
    ? listed.map((type) => type === 'sliding_attention')
    : eachLayer(given.num_hidden_layers, (i) => i >= Number(given.max_window_layers));
  return windowsOf(given.sliding_window, windowed, given.max_position_embeddings);
}

/** @param {import('./table.js').Settings} given */
const demands = (given) => ({
  ...llama.demands(given),
  sliding_window: given.sliding_window,
  use_sliding_window: [true, false],
  layer_types: windows(given) ? given.layer_types : 'an even order of layers',
});

/** @type {Family['read']} */
const read = (given, file) => ({ ...llama.read(given, file), ...windows(given) });

/** @param {string} type @param {string} architecture
 * @returns {Family['write']} */
const write = (type, architecture) => (config) => ({
  ...llama.write(config),
  model_type: type,
  architectures: [architecture],
  use_sliding_window: Boolean(config.window),
  layer_types: windowedLayers(config).map((one) => (one ? 'sliding_attention' : 'full_attention')),
});

/** @type {Family} */
export const qwen2 = {
  ...llama,
  types: ['qwen2'],
  settings,
  defaults,
  demands,
  read,
  write: write('qwen2', 'Qwen2ForCausalLM'),
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
  read,
  write: write('qwen3', 'Qwen3ForCausalLM'),
  fixed: (config) => ({ ...llama.fixed(config), bias: false, qkNorm: true }),
  rows: (config) => [
    ...llama.rows(config),
    ...under('decoder.layers.{i}', 'model.layers.{i}', [
      ['self_attn.{x}_norm.{p}', 'self_attn.{x}_norm.{p}'],
    ]),
  ],
};
