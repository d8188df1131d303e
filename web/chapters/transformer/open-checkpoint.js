// Opens a checkpoint of the reader's own: its files are read in a worker, and its weights taken over piece by piece.
import { text as words } from '../../app/locale/text.js';
import { isStored } from '../../workers/reader/files.js';
import { Checkpoint } from './checkpoint.js';
import { FileReader } from './file-reader.js';
import { firstAttention } from './state.js';

/** @typedef {import('../../workers/reader/answers.js').Files} Files */
/** @typedef {import('./waiting.js').Listener} Listener */

/** Layers of a stack. The page draws each of them, and a model is built in one turn; published ones have fewer. */
const MAX_LAYERS = 128;

/** Refuses a model that the page cannot show, before its weights are read.
 * @param {Record<string, any>} config */
function checkShown(config) {
  if (!config.vocab) throw new RangeError(words('chapters/transformer/checkpoint/noVocabulary'));
  if (!firstAttention(config)) {
    throw new RangeError(words('chapters/transformer/checkpoint/noLayers'));
  }
  const n = Math.max(config.layers ?? 0, config.decoderLayers ?? 0);
  if (n <= MAX_LAYERS) return;
  throw new RangeError(
    words('chapters/transformer/checkpoint/manyLayers', { n, most: MAX_LAYERS }),
  );
}

/**
 * @param {any} core
 * @param {string} name
 * @param {Files} files
 * @param {Listener} listener
 * @returns {Promise<Checkpoint>} throws the signal's reason once it came
 */
export async function openCheckpoint(core, name, files, { signal, onProgress, agree }) {
  const taken = words('chapters/transformer/checkpoint/taking');
  const taking = {
    signal,
    onProgress: (/** @type {number} */ part) => onProgress(taken, part),
  };
  const reader = new FileReader(({ file, loaded, total }) =>
    onProgress(words('chapters/transformer/checkpoint/reading', { file }), total && loaded / total),
  );
  try {
    if (isStored(files)) {
      const opened = await reader.open(files, signal);
      checkShown(opened.offer.config);
      const [{ modelOf }, { factsOf }] = await Promise.all([
        import('../../workers/reader/stored.js'),
        import('./model-facts.js'),
      ]);
      await agree(factsOf(opened.offer));
      const model = await modelOf(opened, (piece) => reader.bytes(piece, signal), taking);
      const { vocabulary, offer, template, start } = opened;
      const { numbers } = offer;
      return new Checkpoint(name, model, reader, { vocabulary, numbers, template, start });
    }
    const read = await reader.read(files, signal);
    checkShown(read.config);
    const model = await core.openInTurns(
      { config: read.config, parameters: new Map(read.parameters), step: read.step },
      taking,
    );
    return new Checkpoint(name, model, reader, read);
  } catch (error) {
    reader.close(/** @type {Error} */ (error));
    throw error;
  }
}
