// Scores kept within bounds.

import { f32, single } from './kit/cells.js';
import { elementwise } from './kit/slopes.js';

/** @type {import('./kit/cells.js').Story} */
export const story = (question) => {
  const { x } = single(question);
  const { cap } = question.step.attributes;
  return { x, cap, inner: question.gf.tanh(f32(x.value / cap)) };
};

/** y = cap tanh(x / cap)
 * @type {import('./kit/slopes.js').Rule[]} */
export const slopes = [
  elementwise((_, { step, at }) => {
    const { cap } = step.attributes;
    const y = step.data[at];
    return { value: 1 - (y / cap) ** 2, formula: '1 - (y / cap)^2', parts: { y, cap } };
  }),
];

/** @type {import('./kit/code.js').Code} */
export const code = {
  numpy: ({ step, inputs: [x], float }) =>
    `${float(step.attributes.cap)} * np.tanh(${x} / ${float(step.attributes.cap)})`,
  pytorch: ({ step, inputs: [x], shortest }) =>
    `${shortest(step.attributes.cap)} * torch.tanh(${x} / ${shortest(step.attributes.cap)})`,
  javascript: ({ step, inputs: [x], shortest }) =>
    `gf.softcap(${x}, ${shortest(step.attributes.cap)})`,
};
