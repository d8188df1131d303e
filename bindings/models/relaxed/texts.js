// The sentence of an engine that lacks what this entry needs, and what throws with it.

import { sentences } from '../../js/base/errors.js';

export const TEXTS = /** @type {const} */ ({
  noRelaxed:
    'WebAssembly has no relaxed SIMD here: take load() without a core, which computes the same with other roundings',
});

export const { failure } = /* @__PURE__ */ sentences(TEXTS);
