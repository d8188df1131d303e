// Layers whose tokens see only those just before them: which layers of a model these are.

/** @typedef {import('./config.js').ModelConfig} ModelConfig */

/** What the core builds. */
const MOST_LAYERS = 1024;

/** As many layers as a setting says, before it was checked.
 * @param {unknown} number @param {(layer: number) => boolean} isWindowed */
export const eachLayer = (number, isWindowed) => {
  const fits = Number.isInteger(number) && Number(number) > 0 && Number(number) <= MOST_LAYERS;
  return Array.from({ length: fits ? Number(number) : 0 }, (_, i) => isWindowed(i));
};

/** Windows of some size in layers that follow each other evenly; none where every token sees all before it anyway.
 * Null: the layers follow each other in another way.
 * @param {unknown} size tokens seen, the one itself included @param {boolean[]} windowed of each layer
 * @param {unknown} length of the longest text
 * @returns {Partial<ModelConfig> | null} */
export function windowsOf(size, windowed, length) {
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
export const windowsIn = ({ window, windowFirst, windowStep }) => ({
  window,
  windowFirst,
  windowStep,
});

/** Which layers of a model have a window.
 * @param {ModelConfig} config */
export const windowedLayers = ({ layers, window, windowFirst = 0, windowStep = 1 }) =>
  Array.from(
    { length: layers },
    (_, i) => Boolean(window) && i >= windowFirst && (i - windowFirst) % windowStep === 0,
  );
