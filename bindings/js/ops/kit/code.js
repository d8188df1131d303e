// Helpers for the lines of programs.

/** @typedef {import('../../trace/steps.js').Step} Step */

/** A step in a program.
 * @typedef {object} Line
 * @property {Pick<Step, 'shape' | 'attributes'>} step
 * @property {string[]} inputs the operands' variables; '' where one is left out
 * @property {(Pick<Step, 'shape' | 'kind' | 'data'> | null)[]} operands
 * @property {(value: number) => string} shortest a number with the digits that make it the same float32
 * @property {(value: number) => string} float the same, as float32 in this language */

/** An op in the words of each language: an expression, and the functions that it calls, by name.
 * @typedef {object} Code
 * @property {(line: Line) => string} numpy
 * @property {(line: Line) => string} pytorch
 * @property {(line: Line) => string} javascript
 * @property {{ numpy?: Record<string, string>, pytorch?: Record<string, string> }} [helpers] */

/** Options as an argument; what is left empty is as it is by default.
 * @param {Record<string, string | number | boolean | undefined>} all
 */
export function options(all) {
  const entries = Object.entries(all).filter(([, value]) => value);
  return entries.length
    ? `, { ${entries.map(([key, value]) => (key === value ? key : `${key}: ${value}`)).join(', ')} }`
    : '';
}

/** How many heads of queries share one of keys, in a product.
 * @param {Line} line */
export function groupOf({ operands: [a, b] }) {
  const heads = (/** @type {Pick<Step, 'shape'> | null} */ step) =>
    step && step.shape.length > 2 ? step.shape[step.shape.length - 3] : 1;
  return b && b.shape.length > 2 ? heads(a) / heads(b) : 1;
}
