// How the model of the stories is made: its size, and the training that brings it there.

import { TRAINING } from '../tasks/recipes.js';

/** The blocks are those of GPT-2, so that other libraries read the file.
 * @type {Readonly<import('../tasks/recipes.js').Recipe>} */
export const recipe = {
  steps: 5000,
  tokens: 1024,
  model: {
    dModel: 64,
    heads: 4,
    dFF: 256,
    layers: 3,
    positions: 'learned',
    activation: 'gelu-tanh',
    preNorm: true,
    finalNorm: true,
    tied: true,
    dropout: 0,
  },
  training: TRAINING,
};
