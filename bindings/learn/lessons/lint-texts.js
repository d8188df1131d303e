// The sentences of errors about the form of a lesson and its links, those of the linter, and what throws with them. Who plays a
// lesson needs none of these.

import { sentences } from '../../js/base/errors.js';

export const TEXTS = /** @type {const} */ ({
  // ---- What the schema asks for ----
  lesson: 'expected a lesson as text or object',
  otherType: 'expected {expected}',
  missingKey: 'missing "{key}"',
  otherKey: 'unknown key {value}',
  otherValue: 'expected {expected}',
  otherPattern: 'expected {expected}',
  outOfRange: 'expected {low} to {high}',
  fewItems: 'expected at least {least}',
  manyItems: 'expected at most {most}',
  otherBranch: 'expected one of {expected}',

  // ---- What a link asks for ----
  noPart: 'a link has no part {value}',
  noExample: 'there is no example {value}',
  noTask: 'there is no task "{name}"',
  noModel: 'the scene needs the trained translator; pass it as model',
  noStories: 'the scene needs the model that learned the stories; pass it as stories',

  // ---- What the linter finds ----
  state: 'cannot compute {link}: {reason}',
  longSentence: '{n} words in one sentence; at most {most}',
  typedNumber: 'the number {number} is typed; write a path in braces, such as {example}, or a word',
  spelled: 'the number {number} is typed; write it as a word',
  noScene: '{example} belongs to no scene here; write it in words',
  emptyScene:
    'the picture is the stage, but "stage" is not in this list, so the scene is empty; add it',
  never: '"{source}" holds for no value that the reader can set',
  already: '"{source}" holds before the reader does anything',
  noRight: 'no option is right',
  allRight: 'every option is right',
  allEqual: 'all numbers are equal, so there is nothing to choose',
  ordered: 'the steps stand in order already',
  unordered: '"{name}" is computed from none of the other steps, nor they from it',
  notThere: '"{name}" cannot be removed here',
  otherCount: 'expected one reply for each of {all} names, got {n}',
  notDragged: '"{source}" is not a number that can be edited',
});

export const { failure, message, rangeError, refusing, typeError } =
  /* @__PURE__ */ sentences(TEXTS);
