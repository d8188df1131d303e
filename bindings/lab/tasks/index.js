// The built-in training tasks: questions with known answers, drawn from a seed.

import { addition } from './addition.js';
import { dates } from './dates.js';
import { frenchEnglish } from './french-english.js';
import { copy, reverse, sort } from './letters.js';

export { kindExamples, senseExamples } from './examples.js';
export { linkedSentences, sentenceLevels, sentenceLinks } from './links.js';
export {
  answer,
  answerTokens,
  evaluate,
  idsOf,
  learn,
  taskBatches,
  testBatch,
  trained,
  untrained,
} from './solver.js';
export { isHeldOut } from './task.js';
export { END, PAD, SPECIAL, START, UNKNOWN, Vocabulary } from './vocabulary.js';

/** @typedef {import('./examples.js').SenseOptions} SenseOptions */
/** @typedef {import('./examples.js').WordExample} WordExample */
/** @typedef {import('./task.js').DictionaryEntry} DictionaryEntry */
/** @typedef {import('./task.js').Pair} Pair */
/** @typedef {import('./task.js').Side} Side */
/** @typedef {import('./task.js').Task} Task */

/** By name.
 * @type {Readonly<Record<string, Task>>} */
export const tasks = Object.freeze(
  Object.fromEntries(
    [copy, reverse, sort, addition, dates, frenchEnglish].map((task) => [task.name, task]),
  ),
);
