// The largest of each row.

import { operand, rowOf, widthOf } from './kit/cells.js';

/** @type {import('./kit/cells.js').Story} */
export const story = (question) => {
  const x = operand(question, 0);
  const k = widthOf(question.step);
  const first = Math.floor(question.at / k) * widthOf(x);
  const ranked = rowOf(x, first).sort((a, b) => b.value - a.value);
  return { from: ranked[question.at % k] };
};
