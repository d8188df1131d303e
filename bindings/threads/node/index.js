// The entry whose core computes on several threads, glassformer/threads, in Node.

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { loadThreads } from '../load.js';

/** @typedef {import('../load.js').Threaded} Threaded */
/** @typedef {import('../load.js').ThreadsOptions} ThreadsOptions */

/** @returns {import('../team.js').Thread} */
function spawn() {
  const worker = new Worker(new URL('./script.js', import.meta.url));
  return {
    post: (post) => worker.postMessage(post),
    listen(ready, ended) {
      worker.on('message', ready);
      worker.on('error', ({ message }) => ended(message));
      worker.on('exit', (code) => ended(`exit ${code}`));
    },
    release: () => worker.unref(),
    terminate: () => void worker.terminate(),
  };
}

/** Compiles the core, which is inlined, and starts threads that share the work of large steps.
 * @param {ThreadsOptions} [options]
 * @returns {Promise<Threaded>} */
export const load = (options = {}) => loadThreads(options, availableParallelism(), spawn);
