// glassformer/lessons: lessons as data, and whether what they say is so.

import { schema } from './schema.js';

export { checkLesson } from './check.js';
export { readLesson } from './read.js';

/** The form of a lesson as JSON Schema.
 * @type {Readonly<Record<string, unknown>>} */
export const lessonSchema = schema;

/** @typedef {import('./map.js').Box} Box */
/** @typedef {import('./check.js').CheckLessonOptions} CheckLessonOptions */
/** @typedef {import('./check.js').Finding} Finding */
/** @typedef {import('./read.js').Gate} Gate */
/** @typedef {import('./read.js').LensPart} LensPart */
/** @typedef {import('./read.js').Lesson} Lesson */
/** @typedef {import('./read.js').Picture} Picture */
/** @typedef {import('./read.js').Scene} Scene */
/** @typedef {import('./read.js').Text} Text */
