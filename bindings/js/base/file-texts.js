// The sentences of errors about JSON, and what throws with them.

import { sentences } from './errors.js';

export const TEXTS = /** @type {const} */ ({
  json: 'expected JSON ({reason})',
  jsonDeep: 'expected JSON with at most {most} levels of arrays and objects',
});

export const { refusing } = /* @__PURE__ */ sentences(TEXTS);
