// Who answers what the page asks of the model of the stories, in a worker or in the page itself.
import { download } from '../reader/download.js';
import * as core from './core.js';
import { Experiments } from './experiments.js';

/**
 * @typedef {{ model: object, weights: object, run: import('./experiments.js').Asked, scores: { prompt: string } }} Questions
 * @typedef {{ model: { words: string[], config: import('../../bindings/index.js').Config },
 *   weights: Uint8Array<ArrayBuffer>, run: import('./experiments.js').Told,
 *   scores: import('./experiments.js').Scores }} Answers
 * model: what it knows and its sizes. weights: its file.
 */
/** @typedef {{ part: number }} Telling how much of the experiments is done */

/** The page is told how far it is this often, in ms. */
const BEAT = 100;

/** @param {(telling: Telling) => void} tell */
export async function answersOf(tell) {
  const [gf, bytes] = await Promise.all([core.load(), download(core.file)]);
  const experiments = new Experiments(core, gf, bytes);
  return {
    model() {
      const { words, config } = experiments;
      return { words, config };
    },
    weights: () => bytes.slice(),
    scores: (/** @type {Questions['scores']} */ { prompt }, /** @type {AbortSignal} */ signal) =>
      experiments.scores(prompt, signal),
    /** @param {Questions['run']} asked @param {AbortSignal} signal */
    run(asked, signal) {
      let told = performance.now();
      const onProgress = (/** @type {number} */ part) => {
        if (performance.now() - told < BEAT) return;
        told = performance.now();
        tell({ part });
      };
      return experiments.run(asked, { signal, onProgress });
    },
  };
}
