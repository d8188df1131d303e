// The sentences of errors about experiments, and what throws with them.

import { sentences } from '../base/errors.js';

export const TEXTS = /** @type {const} */ ({
  storedHere:
    '{experiment} reads "{name}" number by number, and its file keeps it as {type}: open the file without stored',
  noLogits: 'expected a model that makes logits',
  headHere: 'expected a head from 0 to {most}',
  noAttentionAt: 'there is no {part} in layer {layer} of the {stack}',
});

export const { failure, message, rangeError, typeError } = /* @__PURE__ */ sentences(TEXTS);
