// The sentences of errors about tasks, and what throws with them.

import { sentences } from '../../js/base/errors.js';

export const TEXTS = /** @type {const} */ ({
  task: 'expected a task, such as tasks.reverse',
  tokens: 'expected an array of tokens',
  pairs: 'expected an array of pairs',
  stories: 'expected one story or more',
  noSuchWord: 'expected a French word of the task, received "{word}"',
  points: 'expected two points at least, received {n}',
  twice: 'received {value} twice',
  side: 'expected "source" or "target"',
  otherKind: 'it holds a {kind}, and {task} needs a transformer',
  notGpt: 'it holds a {kind}, and {task} needs a gpt',
  noDecoder: 'it has no decoder, and {task} needs one',
  otherVocabulary: 'its vocabulary has {vocab} tokens, that of {task} {size}',
  shortModel: 'it reads {n} tokens, and {task} has {longest}',
  specialToken: 'expected {expected} as token {id}',
});

export const { failure, message, rangeError, typeError } = /* @__PURE__ */ sentences(TEXTS);
