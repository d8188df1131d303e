// The entry whose core computes on several threads, glassformer/threads, in pages.

import { loadThreads, threadsCore } from './load.js';

/** @typedef {import('./load.js').Shared} Shared */
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

/** The core on several threads, for load({ core: threads(4) }): they share the work of large steps, with the same bits. Where
 * memory cannot be shared it computes on one thread, and says why.
 * @param {number} [count] how many, 1 to 64, with the one that calls; by default as many as the machine runs at a time, at
 *   most 8
 * @returns {import('../../js/runtime/engine.js').Core<import('./load.js').Shared>}
 * @example
 * import { load } from 'glassformer';
 * import { threads } from 'glassformer/cores';
 *
 * const gf = await load({ core: threads(2) });
 * gf.threads; // = { count: 2, reason: null }
 * gf.softmax([[0, 0]]); // = [[0.5, 0.5]]
 * gf.dispose(); */
export const threads = (count) =>
  threadsCore('threads: count', count, navigator.hardwareConcurrency, spawn);

/** Compiles the core, which is inlined, and starts threads that share the work of large steps. It gives what load() of
 * glassformer/models gives, with the same bits. Where memory cannot be shared it computes on one thread, and says why.
 * @deprecated goes in 2.0; use load({ core: threads() }) of glassformer, with threads of glassformer/cores
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
