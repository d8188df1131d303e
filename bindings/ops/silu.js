// x times its own sigmoid.

import { f32, single } from './kit/cells.js';
import { elementwise } from './kit/slopes.js';
import { sigmoids } from './sigmoid.js';

/** @type {import('./kit/cells.js').Story} */
export const story = (question) => {
  const { x } = single(question);
  const { factor } = question.step.attributes;
  return { x, factor, share: question.gf.sigmoid(f32(factor * x.value)) };
};

/** y = x s, s = sigmoid(factor x)
 * @type {import('./kit/slopes.js').Rule[]} */
export const slopes = [
  elementwise((x, { step, gf }) => {
    const { factor } = step.attributes;
    const s = gf.sigmoid(f32(factor * x));
    const value = s + factor * x * s * (1 - s);
    return { value, formula: 's + factor x s (1 - s)', parts: { s, factor } };
  }),
];

/** @type {import('./kit/code.js').Code} */
export const code = {
  numpy: ({ step, inputs: [x], float }) =>
    `${x} * sigmoid(${float(step.attributes.factor)} * ${x})`,
  pytorch: ({ step, inputs: [x], shortest }) =>
    `${x} * torch.sigmoid(${shortest(step.attributes.factor)} * ${x})`,
  javascript: ({ step, inputs: [x], shortest }) =>
    `gf.silu(${x}, ${shortest(step.attributes.factor)})`,
  helpers: {
    numpy: sigmoids,
  },
};
