// The sentences of errors about lessons, and what throws with them.

import { sentences } from '../base/errors.js';

export const TEXTS = /** @type {const} */ ({
  // ---- What the schema asks for ----
  lesson: 'expected a lesson as text or object',
  otherType: 'expected {expected}',
  missingKey: 'missing "{key}"',
  otherKey: 'unknown key "{key}"',
  otherValue: 'expected {expected}',
  otherPattern: 'expected {expected}',
  outOfRange: 'expected {low} to {high}',
  fewItems: 'expected at least {least}',
  manyItems: 'expected at most {most}',
  otherBranch: 'expected one of {expected}',

  // ---- What a scene says of its trace ----
  unreadable: 'cannot read "{source}" from character {at} on',
  noFunction: 'unknown function "{name}"',
  noStepHere: 'this scene has no step "{name}"',
  noExample: 'there is no example {value}',
  noTask: 'there is no task "{name}"',
  noCellHere: '"{name}" has the shape {shape}; no index {index} there',
  notNumber: '"{source}" is not a single number',
  notRow: '"{source}" is not a row of numbers',
  arguments: '{name} takes {n} arguments',

  // ---- What the linter finds ----
  state: 'cannot compute {link}: {reason}',
  noModel: 'the scene needs the trained translator; pass it as model',
  longSentence: '{n} words in one sentence; at most {most}',
  typedNumber: 'the number {number} is typed; write a path such as {example}',
  never: '"{source}" holds for no value that the reader can set',
  already: '"{source}" holds before the reader does anything',
  noRight: 'no option is right',
  allRight: 'every option is right',
  allEqual: 'all numbers are equal, so there is nothing to choose',
  ordered: 'the steps stand in order already',
  unordered: '"{name}" is computed from none of the other steps, nor they from it',
  notThere: '"{name}" cannot be removed here',
  notDragged: '"{source}" is not a number that can be edited',
  noCells: '"{source}" names no cells',
  notAmong: '"{source}" is not one of the choices',
});

export const { failure, message, rangeError, refusing, typeError } = sentences(TEXTS);
