// What ops that take an axis away share.

import { ALL } from '../../../generated/layout.js';
import { checkOptions } from '../../base/errors.js';
import { cell, f32, operand, rowSum } from './cells.js';

/** @typedef {import('./cells.js').Question} Question */

/** @typedef {object} ReduceOptions
 * @property {number} [axis] a negative one counts from the end; by default all axes go
 * @property {boolean} [keepDims] whether what goes stays as a dimension of 1; false by default */

/** The attributes of such an op.
 * @param {string} where @param {ReduceOptions} options */
export function reduced(where, options) {
  checkOptions(where, options, ['axis', 'keepDims']);
  const { axis = ALL, keepDims = false } = options;
  return { axis, keep_dims: keepDims };
}

/** x as [before,n,after], of which the middle goes.
 * @param {readonly number[]} shape @param {number} axis */
function around(shape, axis) {
  const size = (/** @type {readonly number[]} */ sizes) => sizes.reduce((a, b) => a * b, 1);
  if (axis === ALL) return { n: size(shape), after: 1 };
  const first = axis < 0 ? axis + shape.length : axis;
  return { n: shape[first], after: size(shape.slice(first + 1)) };
}

/** The places in x that a result is made of.
 * @param {Pick<Question, 'operands' | 'offset' | 'step'>} question */
export function resultOf(question) {
  const { n, after } = around(operand(question, 0).shape, question.step.attributes.axis);
  const first = Math.floor(question.offset / after) * n * after + (question.offset % after);
  return Array.from({ length: n }, (_, k) => first + k * after);
}

/** The result that a place in x belongs to, and all places that it is made of.
 * @param {Pick<Question, 'operands' | 'offset' | 'step'>} question */
export function within(question) {
  const { n, after } = around(operand(question, 0).shape, question.step.attributes.axis);
  const { offset } = question;
  const result = Math.floor(offset / (n * after)) * after + (offset % after);
  return { result, places: resultOf({ ...question, offset: result }) };
}

/** The parts of a sum, and the sum as the core adds them up: side by side in four lanes, else one after the other.
 * @param {Question} question */
export function summed(question) {
  const x = operand(question, 0);
  const places = resultOf(question);
  const parts = places.map((place) => cell(x, place));
  const values = parts.map(({ value }) => value);
  const isRow = places.length === 1 || places[1] === places[0] + 1;
  const total = isRow ? rowSum(values) : values.reduce((sum, value) => f32(sum + value), 0);
  return { parts, total };
}
