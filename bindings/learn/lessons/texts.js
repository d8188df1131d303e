// The sentences of errors about what a scene asks for and says of its trace, and what throws with them.

import { sentences } from '../../js/base/errors.js';

export const TEXTS = /** @type {const} */ ({
  unreadable: 'cannot read "{source}" from character {at} on',
  longExpression: 'expected an expression of at most {most} characters',
  deepExpression: '"{source}" nests too deep; at most {most} levels of brackets and signs',
  noFunction: 'unknown function "{name}"',
  noStepHere: 'this scene has no step "{name}"',
  noCellHere: '"{name}" has the shape {shape}; no index {index} there',
  notOneNumber: '"{source}" is not a single number',
  notRow: '"{source}" is not a row of numbers',
  arguments: '{name} takes {n} arguments',
  otherLength: '{name} takes two rows of one length, not of {n} and {other} numbers',
  noCells: '"{source}" names no cells',
});

export const { failure, rangeError } = /* @__PURE__ */ sentences(TEXTS);
