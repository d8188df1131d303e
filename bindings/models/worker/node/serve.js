// The script of a worker in Node calls this.

import { parentPort } from 'node:worker_threads';
import { answering } from '../server.js';

/** Answers for the models of this worker.
 * @param {import('../server.js').Openers} [openers] */
export function serve(openers) {
  answering(
    {
      post: (message) => parentPort?.postMessage(message),
      listen: (hear) => void parentPort?.on('message', hear),
    },
    openers,
  );
}
