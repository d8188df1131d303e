// The sentences of errors about checked texts, and what throws with them.

import { sentences } from '../../js/base/errors.js';

export const TEXTS = /** @type {const} */ ({
  flags: 'expected the flags that check() gives',
  otherText:
    'the text has no {printed} in line {line}, column {column}: these are flags of another text',
  tooLongText: 'expected at most {most} characters, received {n}',
});

export const { rangeError, typeError } = sentences(TEXTS);
