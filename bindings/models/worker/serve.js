// The script of a worker in a page calls this.

import { answering } from './server.js';

/** Answers for the models of this worker: what the script of a worker of your own calls. Give it what the worker shall read
 * besides models: `openTokenizer` of glassformer/tokenizer reads tokenizer.json.
 * @param {import('./server.js').Openers} [openers]
 * @example
 * import { openTokenizer } from 'glassformer/tokenizer';
 * import { serve } from 'glassformer/worker';
 *
 * serve({ openTokenizer }); */
export function serve(openers) {
  answering(
    {
      post: (message) => globalThis.postMessage(message),
      listen: (hear) => globalThis.addEventListener('message', ({ data }) => hear(data)),
    },
    openers,
  );
}
