// The hyperbolic tangent.

import { single } from './kit/cells.js';
import { elementwise } from './kit/slopes.js';

/** @type {import('./kit/cells.js').Story} */
export const story = single;

/** y = tanh x
 * @type {import('./kit/slopes.js').Rule[]} */
export const slopes = [
  elementwise((_, { step, at }) => {
    const y = step.data[at];
    return { value: 1 - y * y, formula: '1 - y^2', parts: { y } };
  }),
];

/** @type {import('./kit/code.js').Code} */
export const code = {
  numpy: ({ inputs: [x] }) => `np.tanh(${x})`,
  pytorch: ({ inputs: [x] }) => `torch.tanh(${x})`,
  javascript: ({ inputs: [x] }) => `gf.tanh(${x})`,
};
