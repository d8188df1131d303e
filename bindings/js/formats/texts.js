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
  partOfGguf:
    'this is part {n} of the {count} parts of a model: join them with llama-gguf-split --merge, and open the file that it writes',
  partOfTensors:
    'this is part {n} of the {count} parts of a model: open {file}, which names them all',
  keyUnknown: 'unknown key {value}, expected {expected}',
  fieldsDue: 'expected all of {expected}',
  shapeEmpty: 'the shape {shape} has no elements: expected dimensions of 1 or more',
  shapeBeyond: 'the shape {shape} is too large',
  offsetsUnfit: '{dtype} {shape} takes {bytes} bytes, data_offsets are {offsets}',
  overlaps: 'begins at byte {at}, inside the tensor before it',
  hole: 'begins at byte {at}, after a hole from byte {from} on',
  beyondEnd: 'ends at byte {at}, but the data end at {size}',
  trailing: '{n} bytes trail after the last tensor',
  tooShort: 'expected {n} bytes or more',
  headerTooLong: 'the header claims {length} bytes; at most {most} are allowed',
  headerBeyond: 'the header claims {length} bytes, but only {rest} follow',
  headerUtf8: 'the header is not valid UTF-8',
  fileLike: 'expected bytes, a Blob, a Response, an address, or in Node a path or a FileHandle',
  notOpened: 'cannot be opened ({reason})',
  noDownload:
    '(models are not looked up by name: pass a path, or an address that begins with https://)',
  serverStatus: 'the server answered with status {status}',
  brokeOff: 'reading broke off at byte {at} ({reason})',
  readOnce: 'a Response can be read only once: fetch it again, or give its address',
  endsEarly: 'the file ends at byte {at}, expected {end} bytes or more',
  headerEnds: 'the header ends at byte {at}, in the middle of a value',
  beyondAll: '{n} is above 2^53 - 1',
  countBeyond: 'the header claims {n} of them, more than the file can hold',
  valueType: 'unknown type {type} of a value',
  nested: 'expected arrays nested at most {most} deep',
  typeUnread: 'the type {dtype} is not supported, expected one of {words}',
  rowsOfBlocks: '{dtype} has blocks of {block} numbers, which do not divide rows of {n}',
  powerOf2: 'expected a power of 2',
  bigEndian: '(is the file big-endian? Only little-endian is supported)',
  beginsElsewhere: 'begins at byte {at} of the data, expected {expected}',
  sizeAs: 'the header asks for {expected} bytes, the file has {size}',
  tokensEnd: 'the file ends after {n} tokens, expected {expected}',
  noTokens: 'the list of tokens is empty',
  asManyAs: 'expected one for each of the {n} tokens',
  noScores: 'the tokens have no scores',
  byteToken: 'expected two hexadecimal digits after <0x',
  sameToken: 'expected a token other than that of id {id}',
  smallerVocabulary: 'expected at most {most} characters in all tokens',
  mergeText: 'expected two tokens with a space between them',
  variableTaken: '{name} is set already: give the variable another name',
  noTemplate: 'the file has no chat template',
  template: 'the template cannot be filled in ({reason})',
  templateTime: 'the template ran for more than {milliseconds} milliseconds: give a longer timeout',
});

export const { failure, message, rangeError, refusing, typeError } =
  /* @__PURE__ */ sentences(TEXTS);
