// The sentences of errors about exercises, and what throws with them.

import { sentences } from '../../../js/base/errors.js';

export const TEXTS = /** @type {const} */ ({
  noProblem:
    'found no numbers with which each known mistake gives another answer: try another seed',
  problem: 'expected a problem as exercise() makes it',
  answers: 'expected an object with cells, each with what the learner wrote',
  answerText: 'expected a string or a number',
  noMistake: 'the problem has no place for a mistake {value}',
  stepPoints: 'expected an object with points of steps, 0 to 1000 each, one above 0',
  notAStep: 'the recipe has no step {value}',
  notAsked: 'the problem has no cell {value}',
  controls: 'expected a string without control characters',
});

export const { failure, rangeError, typeError } = sentences(TEXTS);
