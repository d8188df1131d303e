// The entry whose core computes on several threads, glassformer/threads, in Node.

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { loadThreads } from '../load.js';
import { threadOf } from './thread.js';

/** @typedef {import('../load.js').Threaded} Threaded */
/** @typedef {import('../load.js').ThreadsOptions} ThreadsOptions */

const spawn = () => threadOf(new Worker(new URL('./script.js', import.meta.url)));

/** Compiles the core, which is inlined, and starts threads that share the work of large steps.
 * @param {ThreadsOptions} [options]
 * @returns {Promise<Threaded>} */
export const load = (options = {}) => loadThreads(options, availableParallelism(), spawn);
