// The logistic function.

import { single } from './kit/cells.js';

/** @type {import('./kit/cells.js').Story} */
export const story = single;

export const sigmoids = {
  sigmoid: `def sigmoid(x):
    return 1 / (1 + np.exp(-x))`,
};

/** @type {import('./kit/code.js').Code} */
export const code = {
  numpy: ({ inputs: [x] }) => `sigmoid(${x})`,
  pytorch: ({ inputs: [x] }) => `torch.sigmoid(${x})`,
  javascript: ({ inputs: [x] }) => `gf.sigmoid(${x})`,
  helpers: { numpy: sigmoids },
};
