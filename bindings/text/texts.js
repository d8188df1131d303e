// The sentences of errors about texts that models read and write, and what throws with them.

import { sentences } from '../base/errors.js';

export const TEXTS = /** @type {const} */ ({
  tokenizer: 'expected a tokenizer: { encode, decode }',
  texts: 'expected an array of texts',
  textEmpty: 'the text has no tokens',
  stopEmpty: 'expected a text of one character or more',
  notANumber: 'your function wrote {value} for token {id}',
  nothingLeft: 'no token is left to choose from: ban fewer, or write fewer -Infinity',
  oneStack: 'this model cannot slide: it has an encoder',
});

export const { failure, message, rangeError, typeError } = /* @__PURE__ */ sentences(TEXTS);
