// How the rotation of a model is stretched for texts longer than those it was trained with: as Llama 3 has it, or all
// pairs alike.

import { isObject } from './settings.js';
import { refusing } from './texts.js';

/** @typedef {import('./config.js').ModelConfig} ModelConfig */
/** @typedef {import('./table.js').Settings} Settings */

const KINDS = ['default', 'linear', 'llama3'];

/** transformers 5 has it among other parameters; before it was apart, or null.
 * @param {Settings} given @param {string} key */
const said = (given, key) => given[`rope_parameters.${key}`] ?? given[`rope_scaling.${key}`];

/** @param {Settings} given */
const kindOf = (given) => said(given, 'rope_type') ?? given['rope_scaling.type'];

/** @param {Settings} given
 * @returns {Partial<ModelConfig>} */
export function stretchOf(given) {
  /** @type {import('./texts.js').Refuse} */
  const refuse = refusing('config.json');
  /** @param {string} key */
  const number = (key) =>
    /** @type {number} */ (said(given, key) ?? refuse('missing', { name: `rope_scaling.${key}` }));
  const kind = kindOf(given);
  if (kind !== 'linear' && kind !== 'llama3') return {};
  const rotaryStretch = number('factor');
  if (kind === 'linear') return { rotaryStretch, rotaryFast: 1 };
  const rotarySlow = number('low_freq_factor');
  const rotaryFast = number('high_freq_factor');
  const told = { where: 'rope_scaling.high_freq_factor', low: rotarySlow, given: rotaryFast };
  return {
    rotaryStretch,
    rotarySlow,
    rotaryFast:
      Math.fround(rotaryFast) <= Math.fround(rotarySlow) ? refuse('numberAbove', told) : rotaryFast,
    rotarySpan: number('original_max_position_embeddings'),
  };
}

/** Llama 3's own: all of them have these, and factors of 8 or 32. */
const LLAMA3 = {
  rope_type: 'llama3',
  low_freq_factor: 1,
  high_freq_factor: 4,
  original_max_position_embeddings: 8192,
};

/** The setting behind a GGUF's rope_freqs: how many times slower each pair is rotated. Null: they are not Llama 3's.
 * @param {Float32Array} slower @param {number} base */
export function scalingOf(slower, base) {
  const factor = slower.reduce((a, b) => Math.max(a, b));
  const { low_freq_factor: low, high_freq_factor: high } = LLAMA3;
  const fits = slower.every((given, i) => {
    const turns =
      LLAMA3.original_max_position_embeddings / (2 * Math.PI * base ** (i / slower.length));
    const share = Math.min(1, Math.max(0, (turns - low) / (high - low)));
    return Math.abs(given * ((1 - share) / factor + share) - 1) < 1e-4;
  });
  return fits && factor > 0 ? { ...LLAMA3, factor } : null;
}

/** @param {Settings} given
 * @returns {Settings} */
export const stretchDemands = (given) => ({
  'rope_parameters.rope_type': KINDS,
  'rope_scaling.rope_type': KINDS,
  'rope_scaling.type': KINDS,
  rope_scaling: isObject(given.rope_scaling) && kindOf(given) ? given.rope_scaling : undefined,
});

/** @param {ModelConfig} config
 * @returns {Settings} */
export function writeStretch({ rotaryStretch, rotarySlow = 0, rotaryFast, rotarySpan }) {
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
}

/** The fields that hold it, as they are.
 * @param {ModelConfig} config
 * @returns {Partial<ModelConfig>} */
export const stretchIn = ({ rotaryStretch, rotarySlow, rotaryFast, rotarySpan }) => ({
  rotaryStretch,
  rotarySlow,
  rotaryFast,
  rotarySpan,
});
