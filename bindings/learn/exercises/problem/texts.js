// The sentences of errors about exercises, and what throws with them.

import { sentences } from '../../../js/base/errors.js';

export const TEXTS = /** @type {const} */ ({
  noProblem:
    'found no numbers with which each known mistake gives another answer: try another seed',
  problem: 'expected a problem as exercise() makes it',
  answers: 'expected an object with cells, each with what the learner wrote',
  answerText: 'expected a string or a number',
  noMistake: 'the problem has no place for a mistake {value}',
  notAsked: 'the problem has no cell {value}',
  examFormat: 'only scorm12 and scorm2004 can be an exam, received {value}',
  controls: 'expected a string without control characters',
});

export const { failure, rangeError, typeError } = sentences(TEXTS);
