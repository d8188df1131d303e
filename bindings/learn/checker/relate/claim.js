// What passes from relating to judging: printed numbers, and what they follow from.

/** @typedef {import('../read/number.js').Cell} Cell */
/** @typedef {import('./value.js').Value} Value */
/** @typedef {import('./words.js').RelationName} RelationName */

/** Printed numbers of which the text says, or its names, how they are computed.
 * @typedef {object} Claim
 * @property {Cell[][]} cells
 * @property {Value} exact what they should be
 * @property {Value[]} readings what they are by the printed numbers before them
 * @property {Value} [carried] what they are if the printed numbers before them are results that were not rounded
 * @property {Value} [righted] what they are if each wrong number before them is what it should be, in its digits
 * @property {[string, Value][]} mistakes what known mistakes make of them, each with its cause
 * @property {RelationName} relation
 * @property {string[]} of what the text calls that from which they come
 * @property {string | null} result what the text calls them; null within an equation, which makes no relation of its own
 * @property {boolean} aside whether they stand in an equation for a single number, which holds by its printed numbers, too
 * @property {boolean} vague whether what they come from may itself be rounded, so that they hold by the printed numbers, too
 * @property {boolean} [said] whether a sentence says them again, as they are printed, rounded early perhaps
 * @property {() => Value | null} again computes them from the printed numbers once more
 * @property {import('../read/expression.js').Expression} [side] the side of the equation that says how
 * @property {Cell[]} used the printed numbers that they come from
 * @property {number} [inner] how many products each sums up */

/** @typedef {import('./words.js').Reason} Reason */

/** Two matrices that a text multiplies, by rows and columns. @typedef {{ a: string, b: string, columns: string, rows: string }} Misfit */

/** @typedef {{ start: number, end: number, why: Reason, misfit?: Misfit }} Unread */

/** How a printed value was computed.
 * @typedef {Pick<Claim, 'exact' | 'readings' | 'carried' | 'righted' | 'relation' | 'of' | 'inner' | 'mistakes' | 'again' | 'side'>
 *   & Pick<import('./relations/candidate.js').Candidate, 'row'>} Origin */

/** What the text itself says how to compute. @param {Value} exact @param {Value[]} readings @param {Pick<Origin, 'again' | 'side'>} [way]
 * @returns {Origin} */
export const asWritten = (exact, readings, way = { again: () => exact }) => ({
  exact,
  readings,
  relation: 'as written',
  of: [],
  mistakes: [],
  ...way,
});

/** What a relation has to agree with. @param {Cell[][]} cells */
export const valuesOf = (cells) => cells.map((row) => row.map(({ value }) => value));
