// The entry whose core computes on several threads, glassformer/threads, in Node.

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { loadThreads, threadsCore } from '../load.js';
import { threadOf } from './thread.js';

/** @typedef {import('../load.js').Threaded} Threaded */
/** @typedef {import('../load.js').ThreadsOptions} ThreadsOptions */

const spawn = () => threadOf(new Worker(new URL('./script.js', import.meta.url)));

/** The core on several threads, for load({ core: threads(4) }).
 * @param {number} [count] how many, with the one that calls
 * @returns {import('../../../js/runtime/engine.js').Core<import('../load.js').Shared>} */
export const threads = (count) =>
  threadsCore('threads: count', count, availableParallelism(), spawn);

/** Compiles the core, which is inlined, and starts threads that share the work of large steps.
 * @param {ThreadsOptions} [options]
 * @returns {Promise<Threaded>} */
export const load = (options = {}) => loadThreads(options, availableParallelism(), spawn);
