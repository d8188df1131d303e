// The entry for models in workers, glassformer/worker, in pages.

import { checkWorker, ModelWorker as Started } from './client.js';

export { serve } from './serve.js';

/** @typedef {import('./client.js').ModelWorker} ModelWorker */
/** @typedef {import('./client.js').Text} Text */
/** @typedef {import('./client.js').WorkerModel} WorkerModel */
/** @typedef {import('./session.js').WorkerSession} WorkerSession */
/** @typedef {import('./session.js').WorkerTokenizer} WorkerTokenizer */
/** @typedef {import('./client.js').WorkerOpenOptions} WorkerOpenOptions */
/** @typedef {import('./generation.js').WorkerTextOptions} WorkerTextOptions */
/** @typedef {import('./generation.js').WorkerTokenOptions} WorkerTokenOptions */
/** @typedef {import('./server.js').Openers} Openers */

/** @param {Worker} worker
 * @returns {import('./client.js').ClientPort} */
const portOf = (worker) => ({
  post: (message) => worker.postMessage(message),
  listen(hear, failed) {
    worker.addEventListener('message', ({ data }) => hear(data));
    worker.addEventListener('error', ({ message }) => failed(message || 'its script'));
    worker.addEventListener('messageerror', () => failed('a message of it cannot be read'));
  },
  hold() {},
  terminate: () => worker.terminate(),
});

/** Starts a worker that runs models. Its methods give models, and theirs are the functions of glassformer/text and
 * glassformer/inside, and `train`, with progress and signals. Errors come across as they are here.
 * @param {Worker} [worker] one whose script calls `serve()`; by default one that reads all but tokenizer.json (in Node that
 *   too, if `@huggingface/tokenizers` is installed)
 * @returns {ModelWorker}
 * @example
 * import { startWorker } from 'glassformer/worker';
 *
 * const worker = startWorker();
 * const model = await worker.create({ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 1, maxLength: 16 });
 * const tokens = [];
 * for await (const { token } of model.generateTokens([1, 2], { maxNewTokens: 3 })) tokens.push(token);
 * tokens.length; // = 3
 * worker.dispose(); */
export function startWorker(
  worker = new Worker(new URL('./script.js', import.meta.url), { type: 'module' }),
) {
  checkWorker(worker);
  return new Started(portOf(worker));
}
