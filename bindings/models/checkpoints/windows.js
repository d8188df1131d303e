// Layers whose tokens see only those just before them: which layers of a model these are.

import { MAX_LAYERS } from './variant.js';

/** @typedef {import('./rules.js').Rule} Rule */
/** @typedef {import('./table.js').Settings} Settings */
/** @typedef {import('./variant.js').ModelConfig} ModelConfig */

/** As many layers as a setting says, before it was checked.
 * @param {unknown} number @param {(layer: number) => boolean} isWindowed */
const eachLayer = (number, isWindowed) => {
  const fits = Number.isInteger(number) && Number(number) > 0 && Number(number) <= MAX_LAYERS;
  return Array.from({ length: fits ? Number(number) : 0 }, (_, i) => isWindowed(i));
};

/** Windows of some size in layers that follow each other evenly; none where every token sees all before it anyway.
 * Null: the layers follow each other in another way.
 * @param {unknown} size tokens seen, the one itself included @param {boolean[]} windowed of each layer
 * @param {unknown} length of the longest text
 * @returns {Partial<ModelConfig> | null} */
function windowsOf(size, windowed, length) {
  const first = windowed.indexOf(true);
  if (first < 0 || Number(size) >= Number(length)) return {};
  const second = windowed.indexOf(true, first + 1);
  const step = second < 0 ? windowed.length : second - first;
  const even = windowed.every((one, i) => one === (i >= first && (i - first) % step === 0));
  return even
    ? { window: /** @type {number} */ (size), windowFirst: first, windowStep: step }
    : null;
}

/** The fields that hold them, as they are.
 * @param {ModelConfig} config
 * @returns {Partial<ModelConfig>} */
const fixed = ({ window, windowFirst, windowStep }) => ({
  window,
  windowFirst,
  windowStep,
});

/** Which layers of a model have a window.
 * @param {ModelConfig} config */
const windowedLayers = ({ layers, window, windowFirst = 0, windowStep = 1 }) =>
  Array.from(
    { length: layers },
    (_, i) => Boolean(window) && i >= windowFirst && (i - windowFirst) % windowStep === 0,
  );

// ---- Mistral: in every layer, or in none ----

/** @param {Settings} config */
const windowOf = ({ model_type: type, sliding_window: window }) =>
  type === 'mistral' ? window : undefined;

/** @type {Rule} */
export const mistralWindows = {
  demands: (config) => ({ sliding_window: windowOf(config) }),
  read: (config) => {
    const size = windowOf(config);
    if (size === undefined) return {};
    const layers = eachLayer(config.num_hidden_layers, () => true);
    return windowsOf(size, layers, config.max_position_embeddings);
  },
  fixed,
  write: ({ window }) =>
    window
      ? {
          model_type: 'mistral',
          architectures: ['MistralForCausalLM'],
          sliding_window: window,
        }
      : {},
};

// ---- Qwen: switched on apart from their size, in layers that are listed, or from one on ----

/** @param {Settings} config */
function listed(config) {
  if (!config.use_sliding_window) return {};
  const types = config.layer_types;
  const windowed = Array.isArray(types)
    ? types.map((type) => type === 'sliding_attention')
    : eachLayer(config.num_hidden_layers, (i) => i >= Number(config.max_window_layers));
  return windowsOf(config.sliding_window, windowed, config.max_position_embeddings);
}

/** @type {Rule} */
export const listedWindows = {
  demands: (config) => ({
    layer_types: listed(config) ? config.layer_types : 'an even order of layers',
  }),
  read: listed,
  fixed,
  write: (config) => ({
    ...(config.window && { sliding_window: config.window }),
    use_sliding_window: Boolean(config.window),
    layer_types: windowedLayers(config).map((one) =>
      one ? 'sliding_attention' : 'full_attention',
    ),
  }),
};

// ---- GPT-Neo: layers are global, or local ----

/** Of each layer: "global" or "local". The setting lists kinds, and how often each list comes again.
 * @param {unknown} types @returns {unknown[]} */
function layersOf(types) {
  if (!Array.isArray(types) || types.length > MAX_LAYERS) return [];
  return types.flatMap((part) => {
    const [kinds, times] = Array.isArray(part) ? part : [];
    const fits =
      Array.isArray(kinds) && Number.isInteger(times) && kinds.length * times <= MAX_LAYERS;
    return fits ? Array.from({ length: times }, () => kinds).flat() : [undefined];
  });
}

/** @param {Settings} config */
function local(config) {
  const kinds = layersOf(config.attention_types);
  const areRead = kinds.every((kind) => kind === 'global' || kind === 'local');
  if (!areRead || kinds.length !== config.num_layers) return null;
  const windowed = kinds.map((kind) => kind === 'local');
  return windowsOf(config.window_size, windowed, config.max_position_embeddings);
}

/** @type {Rule} */
export const localWindows = {
  defaults: (config) => ({
    attention_types: [[['global', 'local'], Number(config.num_layers) / 2]],
  }),
  demands: (config) => ({
    attention_types: local(config) ? config.attention_types : 'an even order of global and local',
  }),
  read: local,
  fixed,
  write: (config) => ({
    attention_types: [[windowedLayers(config).map((one) => (one ? 'local' : 'global')), 1]],
    window_size: config.window ?? config.maxLength,
  }),
};
