// Helpers for local derivatives: how one cell of an operand moves the cells of the result.

import { beside, cell, f32, normalised, operand, widthOf } from './cells.js';

/** @typedef {import('./cells.js').Cell} Cell */
/** @typedef {import('../../trace/steps.js').Step} Step */

/** d y[at] / d cell.
 * @typedef {object} Derivative
 * @property {number} offset of the cell of y, in its data
 * @property {number} value
 * @property {string} formula in the words of `parts`
 * @property {Parts} parts what the formula speaks of; x is the cell itself */

/** offset: of the cell, in the operand's data.
 * @typedef {Omit<import('./cells.js').Question, 'index'>} Question */
/** Of one operand. @typedef {(question: Question) => Derivative[]} Rule */
/** What a formula speaks of, by its letters. @typedef {Record<string, Cell | number>} Parts */

/** @param {number} count @param {(i: number) => Derivative} make */
export const each = (count, make) => Array.from({ length: count }, (_, i) => make(i));

/** @param {number} offset
 * @returns {Derivative} */
export const copied = (offset) => ({ offset, value: 1, formula: '1', parts: {} });

/** @param {number} offset
 * @returns {Derivative} */
export const cut = (offset) => ({ offset, value: 0, formula: '0', parts: {} });

/** y is the product of a row and a column: the derivative is the other factor.
 * @param {number} offset @param {string} name @param {Cell} factor
 * @returns {Derivative} */
export const times = (offset, name, factor) => ({
  offset: offset,
  value: factor.value,
  formula: name,
  parts: { [name]: factor },
});

/** Of an op on each number by itself: from the derivative at x.
 * @param {Question} question
 * @param {(x: number, question: Question) => { value: number, formula: string, parts: Parts }} derivative
 * @returns {Derivative[]} */
export function elementwise(question, derivative) {
  const { offset } = question;
  const x = cell(operand(question, 0), offset);
  const { value, formula, parts } = derivative(x.value, question);
  return [{ offset, value: f32(value), formula, parts: { x, ...parts } }];
}

/** Of an operand that is repeated over the leading dimensions.
 * @param {Question} question @param {number} size
 * @returns {Derivative[]} */
export const repeated = ({ step, offset }, size) =>
  each(step.data.length / size, (i) => copied(i * size + offset));

/** What is added counts as it is. */
export const one = () => ({ value: 1, formula: '1', parts: {} });

/** Of a function of two, whose second is repeated: from the derivatives by each.
 * @param {(a: Cell, b: Cell) => Omit<Derivative, 'offset'>} byA
 * @param {(a: Cell, b: Cell) => Omit<Derivative, 'offset'>} byB
 * @returns {Rule[]} */
export const pairwise = (byA, byB) => [
  (question) => {
    const [a, b] = [operand(question, 0), operand(question, 1)];
    const { offset } = question;
    return [{ offset, ...byA(cell(a, offset), cell(b, beside(a, b, offset))) }];
  },
  (question) => {
    const [a, b] = [operand(question, 0), operand(question, 1)];
    const all = Array.from(a.data, (_, offset) => offset);
    return all
      .filter((offset) => beside(a, b, offset) === question.offset)
      .map((offset) => ({ offset, ...byB(cell(a, offset), cell(b, question.offset)) }));
  },
];

/** The row of a norm that a cell of x belongs to.
 * @param {Question} question @param {number} offset of the cell @param {boolean} centred whether the mean is taken off */
function rowOfNorm(question, offset, centred) {
  const x = operand(question, 0);
  const width = widthOf(x);
  const first = offset - (offset % width);
  const row = x.data.slice(first, first + width);
  return { first, ...normalised(row, question.step.attributes.epsilon, centred) };
}

/** Of x: its own z moves, and the row's deviation, and its mean if that is taken off.
 * @param {Question} question @param {boolean} centred
 * @returns {Derivative[]} */
export function normOf(question, centred) {
  const { first, deviation: s, z } = rowOfNorm(question, question.offset, centred);
  const gains = question.operands[1];
  const column = question.offset - first;
  const n = z.length;
  return z.map((z_j, j) => {
    const gain = gains && cell(gains, j);
    const shared = ((centred ? 1 : 0) + z[column] * z_j) / n;
    const value = ((gain?.value ?? 1) * ((j === column ? 1 : 0) - shared)) / s;
    const words = centred ? '(1 + z_i z_j) / n' : 'z_i z_j / n';
    const formula = `${gain ? 'gain ' : ''}(${j === column ? '1 - ' : '-'}${words}) / s`;
    const parts = { ...(gain && { gain }), z_i: f32(z[column]), z_j: f32(z_j), n, s: f32(s) };
    return { offset: first + j, value: f32(value), formula, parts };
  });
}

/** Of a gain: the z that it multiplies, in every row.
 * @param {Question} question @param {boolean} centred
 * @returns {Derivative[]} */
export function gainOf(question, centred) {
  const { step, offset } = question;
  const width = widthOf(step);
  return each(step.data.length / width, (i) => {
    const z = f32(rowOfNorm(question, i * width, centred).z[offset]);
    return { offset: i * width + offset, value: z, formula: 'z', parts: { z } };
  });
}
