// The sentences of errors about exercises, and what throws with them.

import { sentences } from '../../../js/base/errors.js';

export const TEXTS = /** @type {const} */ ({
  noProblem:
    'found no numbers with which each known mistake gives another answer: try another seed',
  fewDigits:
    'with {value} decimals no numbers of {recipe} tell its known mistakes apart: choose {least} or more',
  problem: 'expected a problem as exercise() makes it',
  answers: 'expected an object with cells, each with what the learner wrote',
  answerText: 'expected a string or a number',
  noMistake: 'the problem has no place for a mistake {value}',
  stepPoints: 'expected an object with points of steps, 0 to 1000 each, one above 0',
  notAStep: 'the recipe has no step {value}',
  notAsked: 'the problem has no cell {value}',
  givenNumbers: 'expected numbers by their names, or a text such as x = 1 0; 0 1',
  longNumbers: 'expected {most} characters at most, received {n}',
  severalProblems: 'expected the numbers of one problem, received {n}',
  noNames: 'expected names with numbers, such as x = 1 0; 0 1, received {value}',
  noSuchNumbers: 'the recipe has no numbers {value}: it has {names}',
  givenTwice: '{value} is there twice',
  missingNumbers: 'these numbers are missing: {names}',
  notNumber: 'cannot read {value} as a number from character {at} on',
  ragged: 'row {row} has length {of}, the first row {n}',
  wrongShape: 'expected the shape {expected}, received {received}',
  misfit: 'expected the shape {expected}, received {received}: {other} is {shape}',
  maskNumbers: 'expected 1 for what is seen and 0 for what is hidden, or "causal"',
  wholeNumbers: 'expected whole numbers from 0, received {value}',
  wordCount: 'expected a word for each row, {n} in all, received {received}',
  tooManyAsked:
    '{n} numbers would be asked, {most} are the most: give smaller matrices, or another level',
  unanswerable: 'these numbers give no answer for {cell}',
  examFormat: 'only scorm12 and scorm2004 can be an exam, received {value}',
  controls: 'expected a string without control characters',
});

export const { failure, rangeError, typeError } = sentences(TEXTS);
