// Candidates: ways in which a text may have computed a value.

/** @typedef {import('../value.js').Value} Value */
/** @typedef {import('../memory.js').Memory} Memory */
/** @typedef {import('../memory.js').Entry} Entry */
/** @typedef {import('../../read/names.js').Meaning} Meaning */

/** @typedef {import('../words.js').RelationName} RelationName */

/** Relations that take longest to compute: right, as printed, and by some mistakes. */
const LONG = ['product', 'product with transpose', 'softmax', 'sinusoid', 'layer norm'];

/** How many of the calls that a text has a candidate takes. @param {Candidate} candidate */
export const costOf = ({ relation }) => (LONG.includes(relation) ? 2 : 1);

/** What makes a value of others; null where their shapes do not fit.
 * @typedef {(values: Value[]) => Value | null} Run */

/** The same by known misconceptions.
 * @typedef {Readonly<Partial<Record<import('../../speech/language.js').Misconception, Run>>>} Mistakes */

/** A way in which a value may have come about.
 * @typedef {object} Candidate
 * @property {RelationName} relation
 * @property {Entry[]} of
 * @property {boolean} [expected] whether the names say so
 * @property {boolean} [guessed] whether some of its numbers are what texts usually mean, and not in this text
 * @property {boolean} [certain] whether they say so even of one or two numbers that do not agree
 * @property {boolean} [sure] whether they say so of any count of numbers
 * @property {number} [inner]
 * @property {number} [row] of what it comes from, where that has several
 * @property {number} [band] how far the rounding of what it comes from may carry it
 * @property {Run} run
 * @property {Mistakes} [mistakes] */

/** Where candidates are looked for.
 * @typedef {object} Search
 * @property {Memory} known
 * @property {Entry[]} entries latest first
 * @property {Entry[]} alike those in the value's shape
 * @property {string} label of the value
 * @property {Value} value
 * @property {import('../../read/number.js').Cell[][] | null} cells as the text prints it
 * @property {number} [gap] before which of its numbers others are left out
 * @property {string} before what the text has before this value
 * @property {(entry: Entry) => string} wordsBehind what the text has between a value and this one
 * @property {(matrix: Entry) => number} rowOf the row of a matrix that the text names on the line of this value; -1 if none */

/** What values of some meanings may have come from, the likeliest first.
 * @typedef {Readonly<Record<string, (search: Search) => Candidate[]>>} Relations */

/** The last value that means one of these, the first of them first.
 * @param {Entry[]} entries latest first @param {Meaning[]} meanings */
export const last = (entries, meanings) =>
  meanings
    .flatMap((meaning) => entries.find((entry) => entry.meaning === meaning) ?? [])
    .slice(0, 1);

/** Half of one in the last digit of a value's numbers. @param {Entry} entry */
export const halfUnitOf = ({ cells }) =>
  Math.max(0, ...(cells ?? []).flat().map(({ unit }) => unit % 1)) / 2;

/** One number for each row, as a value of that shape prints them: in a row, in a column, or alone.
 * @param {Value} shape @param {number[]} numbers
 * @returns {Value | null} */
export function perRow({ rank, rows }, numbers) {
  if (rows.length === 1 && rows[0].length === numbers.length) return { rank, rows: [numbers] };
  const isColumn = rows.length === numbers.length && rows[0].length === 1;
  return isColumn ? { rank, rows: numbers.map((x) => [x]) } : null;
}
