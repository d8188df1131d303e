// The sentences of errors about experiments, and what throws with them.

import { sentences } from '../../js/base/errors.js';

export const TEXTS = /** @type {const} */ ({
  noStates: 'expected a model with a residual stream',
  noTable: 'expected a model with a table of embeddings',
  vectorsOfTokens:
    'expected a computed step with a vector for each token, or for each head and token, received "{name}"',
  noNodes: 'expected at least one step',
  nodeTwice: 'the step {value} is given twice',
  noLogits: 'expected a model that computes logits',
  noPartAt: 'there is no {part} in layer {layer} of the {stack}',
  noPartNamed: 'the sum has no part "{name}"',
  onePlace: 'expected one of head, neuron and position, received {names}',
  computedNode: 'expected a step that is computed, received "{name}"',
  tokenless: '"{name}" has no tokens to take the mean over',
  newValue: 'expected "zero", { mean } or { run }',
  emptySet: 'expected at least one run',
  tokenCount: 'expected 1 to {most} tokens, received {n}: choose some by tokens',
  ownTokens: 'a head that attends to another sequence has no circuits over one vocabulary',
  sendersOrReceivers: 'expected sender, receivers or both',
  receiver: 'expected "logits", { layer, head, input } or { layer, part: "feed_forward" }',
  noReceivers: 'expected at least one receiver',
  logitsAlone: 'without a sender, "logits" must be the only receiver',
  label: 'expected a label: a string or a number',
  vectorNode: 'expected a computed step with one vector for each token, received "{name}"',
  fewExamples: 'expected at least {least} examples, received {n}',
  classCount: 'expected at least two labels, received {n}',
  eachOrAt: 'expected either each or at',
});

export const { message, rangeError, typeError } = /* @__PURE__ */ sentences(TEXTS);
