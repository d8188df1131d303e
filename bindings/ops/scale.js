// Each number times a constant.

import { single } from './kit/cells.js';

/** @typedef {import('../base/values.js').Values} Values */
/** @template V @typedef {import('../eager/read.js').Like<V>} Like */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** The method of a tape.
 * @satisfies {ThisType<import('../tape/nodes.js').Nodes>} */
export const tape = {
  /** y = factor x
   * @param {Tensor} x @param {number} factor @param {string} name */
  scale(x, factor, name) {
    return this.push('scale', { x }, { factor }, name);
  },
};

/** The function on plain data.
 * @param {import('../eager/kit.js').Kit} kit */
export const eager = ({ each }) => ({
  /** factor x
   * @template {Values | number} V
   * @param {V} x @param {number} factor
   * @returns {Like<V>}
   * @example
   * gf.scale([[3, -1]], 0.5); // = [[1.5, -0.5]] */
  scale: (x, factor) => each('scale', x, (tape, x) => tape.scale(x, factor, 'y')),
});

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
