// glassformer/checker: whether the numbers of a worked text are right.

export { check } from './check.js';
export { fixed } from './fixed.js';

/** @typedef {import('../../js/base/speech.js').Language} Language */
/** @typedef {import('./check.js').Checked} Checked */
/** @typedef {import('./check.js').CheckOptions} CheckOptions */
/** @typedef {import('./check.js').Flag} Flag */
/** @typedef {import('./check.js').Truncation} Truncation */
/** @typedef {import('./check.js').Relation} Relation */
/** @typedef {import('./check.js').NotUnderstood} NotUnderstood */
/** @typedef {import('./rounding.js').Rounding} Rounding */
/** @typedef {import('./relate/words.js').Reason} Reason */
/** @typedef {import('./relate/words.js').RelationName} RelationName */
