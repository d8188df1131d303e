// The sentences of errors about files that are read, and what throws with them.

import { sentences } from '../base/errors.js';

/** What refuses a file with them.
 * @typedef {import('../base/errors.js').Refuse<typeof TEXTS & typeof import('../base/texts.js').TEXTS>} Refuse */

export const TEXTS = /** @type {const} */ ({
  bytes: 'expected an ArrayBuffer or a Uint8Array',
  beyond32: 'element {at} is {number}, beyond 32 bits',
  jsonAt: 'expected {expected} at character {at}',
  jsonEnd: 'expected {expected} at character {at}, received its end',
  jsonString: 'a string',
  jsonUnicode: 'a string of Unicode',
  jsonInteger: 'an integer from 0 to 2^53 - 1',
  jsonNothing: 'nothing more',
  jsonSign: '"{sign}"',
  tooManyNumbers: 'expected at most {most} numbers',
  keyTwice: 'the key {value} is given twice',
  keyUnknown: 'unknown key {value}, expected {expected}',
  fieldsDue: 'expected all of {expected}',
  shapeBeyond: 'shape {shape} is beyond all sizes',
  offsetsUnfit: '{dtype} {shape} takes {bytes} bytes, data_offsets are {offsets}',
  overlaps: 'begins at byte {at}, inside the tensor before it',
  hole: 'begins at byte {at}, after a hole from byte {from} on',
  beyondEnd: 'ends at byte {at}, but the data end at {size}',
  trailing: '{n} bytes trail after the last tensor',
  tooShort: 'expected {n} bytes or more',
  headerTooLong: 'the header claims {length} bytes; at most {most} are allowed',
  headerBeyond: 'the header claims {length} bytes, but only {rest} follow',
  headerUtf8: 'the header is not valid UTF-8',
});

export const { failure, message, rangeError, refusing, typeError } =
  /* @__PURE__ */ sentences(TEXTS);
