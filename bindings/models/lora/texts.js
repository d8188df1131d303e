// The sentences of errors about adapters, and what throws with them.

import { sentences } from '../../js/base/errors.js';

export const TEXTS = /** @type {const} */ ({
  notOfLora: 'expected a file of an adapter, as save() of a model with one writes it',
  noProjection: 'no linear layer is called {value}: this model has {names}',
  noProjections: 'name one linear layer or more: this model has {names}',
  adaptedAlready: 'this model has adapters already: merge() them first',
  noAttentions: 'this model has no queries and values: name its linear layers, of {names}',
  mergedIntoStored:
    'the matrices of the base model stay as its file stores them: open it without stored to merge into it',
  trainedBelow:
    'the base model is being trained: end that loop first, by break, return() or its signal',
});

export const { failure, message, rangeError, refusing, typeError } =
  /* @__PURE__ */ sentences(TEXTS);
