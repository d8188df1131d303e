// The sentences of errors about JSON, and what throws with them.

import { sentences } from './errors.js';

export const TEXTS = /** @type {const} */ ({
  json: 'expected JSON ({reason})',
  jsonDeep: 'expected JSON that nests less deep ({reason})',
});

export const { refusing } = /* @__PURE__ */ sentences(TEXTS);
