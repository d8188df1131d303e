// The sentences of errors about models in workers, and what throws with them.

import { sentences } from '../../js/base/errors.js';

export const TEXTS = /** @type {const} */ ({
  worker: 'expected a Worker',
  workerEnded: 'the worker has ended: start another one',
  workerFailed: 'the worker failed ({reason})',
  functionStays:
    'a function cannot be sent to a worker: open the model here, with open(), to use it',
  notSent: 'a worker cannot be sent this value ({reason})',
  noTokenizer:
    'the model has no tokenizer: pass tokenizerFiles to open(), or ids where they are taken',
  noOpener:
    'this worker does not read tokenizer.json: write its script with serve({ openTokenizer })',
});

export const { failure, message, rangeError, typeError } = /* @__PURE__ */ sentences(TEXTS);
