// What is below 0 becomes 0.

import { single } from './kit/cells.js';
import { elementwise } from './kit/slopes.js';

/** @type {import('./kit/cells.js').Story} */
export const story = single;

/** y = max(0, x)
 * @type {import('./kit/slopes.js').Rule[]} */
export const slopes = [
  elementwise((x) => ({ value: x > 0 ? 1 : 0, formula: '[x > 0]', parts: {} })),
];

/** @type {import('./kit/code.js').Code} */
export const code = {
  numpy: ({ inputs: [x] }) => `np.maximum(${x}, 0)`,
  pytorch: ({ inputs: [x] }) => `F.relu(${x})`,
  javascript: ({ inputs: [x] }) => `gf.relu(${x})`,
};
