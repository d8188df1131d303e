// Each number times a constant.

import { single } from './kit/cells.js';

/** @type {import('./kit/cells.js').Story} */
export const story = (question) => ({
  ...single(question),
  factor: question.step.attributes.factor,
});

/** y = factor x
 * @type {import('./kit/slopes.js').Rule[]} */
export const slopes = [
  ({ step, at }) => {
    const { factor } = step.attributes;
    return [{ at, value: factor, formula: 'factor', parts: { factor } }];
  },
];

/** @type {import('./kit/code.js').Code} */
export const code = {
  numpy: ({ step, inputs: [x], float }) => `${x} * ${float(step.attributes.factor)}`,
  pytorch: ({ step, inputs: [x], shortest }) => `${x} * ${shortest(step.attributes.factor)}`,
  javascript: ({ step, inputs: [x], shortest }) =>
    `gf.scale(${x}, ${shortest(step.attributes.factor)})`,
};
