// Logarithms of the softmax.

import { f32, logOf, operand, powersOf, widthOf } from './kit/cells.js';
import { each } from './kit/partials.js';

/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** The method of a tape.
 * @satisfies {ThisType<import('../tape/nodes.js').Nodes>} */
export const tape = {
  /** Logarithm of the softmax over the last dimension.
   * @param {Tensor} x @param {string} name */
  logSoftmax(x, name) {
    return this.push('log_softmax', { x }, {}, name);
  },
};

/** @type {import('./kit/cells.js').Story} */
export const story = (question) => {
  const x = operand(question, 0);
  const powers = powersOf(x, question.offset, question.gf);
  const log = logOf(powers, question.gf);
  return { ...powers, log, shifted: powers.row[question.offset % widthOf(x)].shifted };
};

/** y_j = x_j - log sum_k exp x_k
 * @type {import('./kit/partials.js').Rule[]} */
export const partials = [
  ({ step, offset, gf }) => {
    const width = widthOf(step);
    const p = gf.exp(step.data[offset]);
    return each(width, (j) => {
      const other = offset - (offset % width) + j;
      return other === offset
        ? { offset, value: f32(1 - p), formula: '1 - p', parts: { p } }
        : { offset: other, value: -p, formula: '-p', parts: { p } };
    });
  },
];

/** @type {import('./kit/code.js').Code} */
export const code = {
  numpy: ({ inputs: [x] }) => `log_softmax(${x})`,
  pytorch: ({ inputs: [x] }) => `F.log_softmax(${x}, dim=-1)`,
  javascript: ({ inputs: [x] }) => `gf.logSoftmax(${x})`,
  helpers: {
    numpy: {
      log_softmax: `def log_softmax(x):
    x = x - np.max(x, axis=-1, keepdims=True)
    return x - np.log(np.exp(x).sum(axis=-1, keepdims=True))`,
    },
  },
};

/** @type {import('./kit/page.js').Drawing} */
export const drawing = { intro: () => 'introRow' };

/** @type {import('./kit/page.js').Lines} */
export const lines =
  ({ exact }) =>
  ({ shifted, log, total }) => [
    `x - max: ${exact(shifted)}`,
    `- ${exact(log)}, the logarithm of the sum ${exact(total)}`,
  ];
