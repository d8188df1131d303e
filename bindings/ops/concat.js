// One behind the other, along an axis.

import { flatIndex } from '../base/values.js';
import { cell, operand } from './kit/cells.js';

/** @type {import('./kit/cells.js').Story} */
export const story = (question) => {
  const [a, b] = [operand(question, 0), operand(question, 1)];
  const { axis } = question.step.attributes;
  const first = a.shape[axis];
  const from = question.index[axis] < first ? a : b;
  const place = question.index.map((i, at) => (at === axis && from === b ? i - first : i));
  return { from: cell(from, flatIndex('concat', from.shape, place)) };
};
