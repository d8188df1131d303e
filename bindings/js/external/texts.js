// The sentences of errors about a core that is a file of its own, and what throws with them.

import { sentences } from '../base/errors.js';

export const TEXTS = /** @type {const} */ ({
  notFetched: 'could not fetch the core from {address}: {reason}',
});

export const { failure } = /* @__PURE__ */ sentences(TEXTS);
