// Sums of two, one of them repeated.

import { cell, operand } from './kit/cells.js';
import { copied, repeated } from './kit/slopes.js';

/** @type {import('./kit/cells.js').Story} */
export const story = (question) => {
  const [a, b] = [operand(question, 0), operand(question, 1)];
  return { a: cell(a, question.at), b: cell(b, question.at % b.data.length) };
};

/** y = a + b
 * @type {import('./kit/slopes.js').Rule[]} */
export const slopes = [
  ({ at }) => [copied(at)],
  (question) => repeated(question, operand(question, 1).data.length),
];

/** @type {import('./kit/code.js').Code} */
export const code = {
  numpy: ({ inputs: [a, b] }) => `${a} + ${b}`,
  pytorch: ({ inputs: [a, b] }) => `${a} + ${b}`,
  javascript: ({ inputs: [a, b] }) => `gf.add(${a}, ${b})`,
};
