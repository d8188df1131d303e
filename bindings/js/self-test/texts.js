// The sentence of the self-test, and what throws with it.

import { sentences } from '../base/errors.js';

export const TEXTS = /** @type {const} */ ({
  otherBits: 'expected the bits {expected}, received {bits}: this engine computes other numbers',
});

export const { failure } = /* @__PURE__ */ sentences(TEXTS);
