// The sentences of errors about tokenizers, and what throws with them.

import { sentences } from '../../js/base/errors.js';

/** What refuses a file with them.
 * @typedef {import('../../js/base/errors.js').Refuse<typeof TEXTS & typeof import('../../js/base/texts.js').TEXTS>} Refuse */

export const TEXTS = /** @type {const} */ ({
  tokenizerFile: 'expected an object with a model',
  oneField: 'expected one of the fields {names}',
  tooDeep: 'expected at most {most} sequences within each other',
  longPattern: 'expected a pattern of at most {most} characters, received {n}',
  pattern: 'expected a regular expression ({reason})',
  textNotEmpty: 'expected a string that is not empty',
  mergePair: 'expected two tokens',
  tokenDue: 'expected a token of the vocabulary',
  idAs: 'expected the id {id}',
  oneId: 'expected an array of one id',
  pieces: 'expected an array of tokens with their scores',
  piece: 'expected a token and its score',
  wholeText: 'expected whole characters, not half of a surrogate pair',
  character: 'expected one character',
  noField: 'expected one of the fields {names}: remove this one',
  noFields: 'expected no field, as {name} has none: remove it',
  charsmap: 'expected the replacements of SentencePiece in base64',
  sameId: 'expected an id that {token} does not have',
  mergePrefix: 'expected a second token that begins with {prefix}',
  noDropout: 'expected null: merges left out at random give other ids each time',
  notRead: 'expected null: it is not read',
  notFirst: 'expected "always" or "never", as {before} comes before it',
  noUnknown: 'expected a token for what the vocabulary lacks',
  patternTime:
    'the patterns of the file ran for more than {milliseconds} milliseconds: give a longer timeout, if you trust them',
  tooMuchText: 'makes more than {most} characters of this text',
  noPackage: 'tokenizer.json needs a package: npm install {name}',
});

export const { failure, rangeError, refusing, typeError } = /* @__PURE__ */ sentences(TEXTS);
