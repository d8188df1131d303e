// How the rotation of a model is stretched for texts longer than those it was trained with: as Llama 3 has it, or all
// pairs alike.

import { isObject } from '../../js/base/values.js';
import { refusing } from './texts.js';

/** @typedef {import('./variant.js').ModelConfig} ModelConfig */
/** @typedef {import('./table.js').Settings} Settings */

const KINDS = ['default', 'linear', 'llama3'];

/** transformers 5 has it among other parameters; before it was apart, or null.
 * @param {Settings} config @param {string} key */
const settingOf = (config, key) =>
  config[`rope_parameters.${key}`] ?? config[`rope_scaling.${key}`];

/** @param {Settings} config */
const kindOf = (config) => settingOf(config, 'rope_type') ?? config['rope_scaling.type'];

/** @param {Settings} config
 * @returns {Partial<ModelConfig>} */
function stretchOf(config) {
  /** @type {import('./texts.js').Refuse} */
  const refuse = refusing('config.json');
  /** @param {string} key */
  const number = (key) =>
    /** @type {number} */ (
      settingOf(config, key) ?? refuse('missing', { name: `rope_scaling.${key}` })
    );
  const kind = kindOf(config);
  if (kind !== 'linear' && kind !== 'llama3') return {};
  const rotaryStretch = number('factor');
  if (kind === 'linear') return { rotaryStretch, rotaryFast: 1 };
  const rotarySlow = number('low_freq_factor');
  const rotaryFast = number('high_freq_factor');
  const problem = { where: 'rope_scaling.high_freq_factor', low: rotarySlow, given: rotaryFast };
  return {
    rotaryStretch,
    rotarySlow,
    rotaryFast:
      Math.fround(rotaryFast) <= Math.fround(rotarySlow)
        ? refuse('numberAbove', problem)
        : rotaryFast,
    rotarySpan: number('original_max_position_embeddings'),
  };
}

/** The fields of a stretched rotation, and how config.json says them.
 * @type {import('./rules.js').Rule} */
export const stretch = {
  demands: (config) => ({
    'rope_parameters.rope_type': KINDS,
    'rope_scaling.rope_type': KINDS,
    'rope_scaling.type': KINDS,
    rope_scaling: isObject(config.rope_scaling) && kindOf(config) ? config.rope_scaling : undefined,
  }),
  read: stretchOf,
  fixed: ({ rotaryStretch, rotarySlow, rotaryFast, rotarySpan }) => ({
    rotaryStretch,
    rotarySlow,
    rotaryFast,
    rotarySpan,
  }),
  write: ({ rotaryStretch, rotarySlow = 0, rotaryFast, rotarySpan }) => {
    if (!rotaryStretch) return {};
    const scaling = rotarySpan
      ? {
          rope_type: 'llama3',
          factor: rotaryStretch,
          low_freq_factor: rotarySlow,
          high_freq_factor: rotaryFast,
          original_max_position_embeddings: rotarySpan,
        }
      : { rope_type: 'linear', factor: rotaryStretch };
    return { rope_scaling: scaling };
  },
};
