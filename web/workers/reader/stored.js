// A model whose weights stay as its file stores them, in a core of its own, which is fetched for the first such model.
import { load } from '../../../bindings/models.js';
import { checkpointOf } from './headers.js';

/** @typedef {import('./answers.js').Opened} Opened */

/** @type {ReturnType<typeof load> | null} */
let core = null;

/**
 * Makes the model of a header that the reader has read, asking for its weights piece by piece.
 * @param {Opened} opened
 * @param {(piece: { source: number, begin: number, end: number }) => Promise<Uint8Array>} ask
 * @param {{ signal: AbortSignal, onProgress: (part: number) => void }} listener
 */
export async function modelOf({ header, sources: files }, ask, listener) {
  const sources = files.map(({ name, size }, source) => ({
    name,
    size,
    read: (/** @type {number} */ begin, /** @type {number} */ end) => ask({ source, begin, end }),
    close: async () => {},
  }));
  const checkpoint = await checkpointOf(sources, header);
  core ??= load();
  const { openModel } = await core;
  return openModel(checkpoint, { stored: true, ...listener });
}
