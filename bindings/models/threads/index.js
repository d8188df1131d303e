// The entry whose core computes on several threads, glassformer/threads, in pages.

import { loadThreads } from './load.js';

/** @typedef {import('./load.js').Sharing} Sharing */
/** @typedef {import('./load.js').Threaded} Threaded */
/** @typedef {import('./load.js').Threads} Threads */
/** @typedef {import('./load.js').ThreadsOptions} ThreadsOptions */

/** @returns {import('./team.js').Thread} */
function spawn() {
  const worker = new Worker(new URL('./script.js', import.meta.url), { type: 'module' });
  return {
    post: (post) => worker.postMessage(post),
    listen(ready, ended) {
      worker.addEventListener('message', ready);
      worker.addEventListener('error', ({ message }) => ended(message || 'its script'));
    },
    release() {},
    terminate: () => worker.terminate(),
  };
}

/** Compiles the core, which is inlined, and starts threads that share the work of large steps. It gives what load() of
 * glassformer/models gives, with the same bits. Where memory cannot be shared it computes on one thread, and says why.
 * @param {ThreadsOptions} [options]
 * @returns {Promise<Threaded>}
 * @example
 * import { load } from 'glassformer/threads';
 *
 * const gf = await load({ threads: 2 });
 * gf.threads; // = { count: 2, reason: null }
 * gf.softmax([[0, 0]]); // = [[0.5, 0.5]]
 * gf.dispose(); */
export const load = (options = {}) => loadThreads(options, navigator.hardwareConcurrency, spawn);
