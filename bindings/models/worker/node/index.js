// The entry for models in workers, glassformer/worker, in Node.

import { Worker } from 'node:worker_threads';
import { checkWorker, ModelWorker } from '../client.js';

export { serve } from './serve.js';

/** @typedef {import('../client.js').WorkerModel} WorkerModel */
/** @typedef {import('../session.js').WorkerSession} WorkerSession */
/** @typedef {import('../session.js').WorkerTokenizer} WorkerTokenizer */

/** @param {import('node:worker_threads').Worker} worker
 * @returns {import('../client.js').ClientPort} */
const portOf = (worker) => ({
  post: (message) => worker.postMessage(message),
  listen(hear, failed) {
    worker.on('message', hear);
    worker.on('error', ({ message }) => failed(message));
    worker.on('messageerror', ({ message }) => failed(message));
    worker.on('exit', (code) => failed(`exit ${code}`));
  },
  hold: (isWaiting) => (isWaiting ? worker.ref() : worker.unref()),
  terminate: () => void worker.terminate(),
});

/** Starts a worker that runs models.
 * @param {import('node:worker_threads').Worker} [worker] one whose script calls serve(); by default one that reads tokenizer.json
 *   too, if `@huggingface/tokenizers` is installed
 * @returns {ModelWorker} */
export function startWorker(worker = new Worker(new URL('./script.js', import.meta.url))) {
  checkWorker(worker);
  return new ModelWorker(portOf(worker));
}
