// The sentences of errors about JSON, and what throws with them.

import { sentences } from './errors.js';

export const TEXTS = /** @type {const} */ ({
  json: 'expected JSON ({reason})',
  jsonDeep: 'expected JSON with at most {most} levels of arrays and objects',
  noJson: 'expected a value that JSON can hold, without circles and BigInt',
});

export const { refusing, typeError } = /* @__PURE__ */ sentences(TEXTS);
