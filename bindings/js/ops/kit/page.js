// How a page and the command line show an op. Formulas and sentences are made of pieces, which their caller provides.

/** @typedef {import('../../trace/steps.js').Step} Step */
/** @typedef {import('./cells.js').Cell} Cell */
/** A piece of a formula or of a sentence. @typedef {unknown} Piece */
/** @typedef {Required<import('../../trace/explain.js').Explanation>} Explained */
/** What explain() gives of a cell: each op reads the parts that its own story has.
 * @typedef {Omit<Explained, 'row'> & { row: Cell & import('./cells.js').Exponential[] }} Told */

/** @typedef {{ step(name: string): Step }} Traced */

/** Where a formula is shown: term is the last term that is shown, of so many; sums of more terms than `many` show
 * their first and last ones.
 * @typedef {{ term: number, terms: number, many?: number, trace: Traced }} View */

/** How the formulas of a trace are written.
 * @typedef {object} Notation
 * @property {(parts: TemplateStringsArray, ...values: unknown[]) => Piece} mathml
 * @property {Piece} nothing
 * @property {Piece} plus @property {Piece} minus
 * @property {Piece} separator between the arguments of a function: not the decimal mark
 * @property {(node: string) => Piece} matrix the letter of a node
 * @property {(step: Step, k: number) => Piece} operand the letter of an operand
 * @property {(node: string, indices: Piece[]) => Piece} element a letter with these indices
 * @property {(cell: Cell) => Piece} cell a cell by its indices
 * @property {(cell: Cell, signed?: boolean) => Piece} value a cell by its number; signed: a negative one stands in
 *   brackets
 * @property {(number: number) => Piece} plainNumber a number that is no cell
 * @property {(above: Piece, below: Piece) => Piece} fraction
 * @property {(of: Piece) => Piece} root
 * @property {(of: Piece) => Piece} power of e
 * @property {(name: string, of: Piece) => Piece} call */

/** The right-hand side of an op, in pieces between which a long line may break: in letters, with indices,
 * with numbers.
 * @typedef {object} Side
 * @property {(step: Step, view: View) => Piece} symbols
 * @property {(told: Told, view: View, step: Step) => Piece[]} indices
 * @property {(told: Told, view: View) => Piece[]} numbers */

/** @typedef {(notation: Notation) => Side} Derivation */

/** How sentences show numbers.
 * @typedef {object} Words
 * @property {(cell: Cell, options?: { signed?: boolean }) => Piece} number of a cell
 * @property {(value: number, options?: { signed?: boolean }) => Piece} plain a number that is no cell
 * @property {(of: Cell | number) => Piece} result what the others amount to
 * @property {(cell: Cell) => Piece} power e to the power of a cell
 * @property {(a: Cell, b: Cell, options?: { signed?: boolean }) => Piece} product of two cells; signed: the first
 *   stands behind a sign */

/** The name of a sentence about a cell, and what fills it in; null where the cell was only copied.
 * @typedef {(words: Words) => (told: Told, view: Pick<View, 'term' | 'trace'>) => [string, Record<string, unknown>] | null} Caption */

/** The lines of the command line about a cell.
 * @typedef {(words: { valued: (cell: Cell) => string, exact: (value: number) => string }) =>
 *   (told: Told) => string[]} Lines */

/** What moves on a page, by its name in web/stage/motion/.
 * @typedef {'blend' | 'fold' | 'join' | 'level' | 'product' | 'shares'} MotionName */

/** How a page draws a step.
 * @typedef {object} Drawing
 * @property {(step: Step) => string} [intro] the sentence before its first cell
 * @property {(step: Step) => string | undefined} [prose] the text about it; by its name by default
 * @property {(operands: Step[], step: Step) => number} [moments] that its first cell takes; 1 by default
 * @property {MotionName} [motion] what moves while its cells are explained; 'join' by default
 * @property {(operands: Step[], step: Step) => MotionName | undefined} [opening] what moves while it is introduced
 * @property {boolean} [crosses] each number of the result stands where a row and a column meet
 * @property {string} [sign] between its operands, with = before the result
 * @property {number} [shown] so many of its operands are drawn
 * @property {boolean} [below] what scales and shifts each column stands below the result
 * @property {boolean} [looksUp] ids come first, and of their table few rows
 * @property {boolean} [counts] its operand holds the same as the labels of the rows
 * @property {boolean} [allHeads] heads stand side by side
 * @property {(step: Step, digits: (value: number) => string, trace: Traced) => string} [label] on its arrow, in lines; its
 *   name by default
 */

export {};
