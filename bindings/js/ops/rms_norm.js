// Rows divided by their root mean square, scaled.

import { cell, f32, operand, rowOf, rowSum, widthOf } from './kit/cells.js';
import { norm } from './kit/derivations.js';
import { gainOf, normOf } from './kit/partials.js';
import { usesOfNorm } from './kit/uses.js';

/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** The method of a tape.
 * @satisfies {ThisType<import('../tape/nodes.js').Nodes>} */
export const tape = {
  /** Divides each row by its root mean square, then scales it.
   * @param {Tensor} x @param {Tensor | null} gain [C] @param {number} epsilon
   * @param {string} name */
  rmsNorm(x, gain, epsilon, name) {
    return this.push('rms_norm', { x, gain }, { epsilon }, name);
  },
};

/** @type {import('./kit/cells.js').Story} */
export const story = (question) => {
  const gain = question.operands[1];
  const x = operand(question, 0);
  const width = widthOf(x);
  const row = rowOf(x, question.offset).map(({ value }) => value);
  const meanSquare = f32(rowSum(row.map((value) => f32(value * value))) / width);
  const { epsilon } = question.step.attributes;
  const root = f32(Math.sqrt(f32(meanSquare + f32(epsilon))));
  return {
    x: cell(x, question.offset),
    meanSquare,
    root,
    normalised: f32(x.data[question.offset] * f32(1 / root)),
    gain: gain && cell(gain, question.offset % width),
  };
};

/** y = gain x / s, s = sqrt(mean x^2 + epsilon)
 * @type {import('./kit/partials.js').Rule[]} */
export const partials = [
  (question) => normOf(question, false),
  (question) => gainOf(question, false),
];

/** @type {import('./kit/code.js').Code} */
export const code = {
  numpy: ({ step, inputs: [x, gain], float }) =>
    `rms_norm(${x}, ${gain || 'None'}, ${float(step.attributes.epsilon)})`,
  pytorch: ({ step, inputs: [x, gain], shortest }) =>
    `${gain ? `${gain} * ` : ''}${x} / (${x}.square().mean(-1, keepdim=True) + ${shortest(step.attributes.epsilon)}).sqrt()`,
  javascript: ({ step, inputs: [x, gain], shortest }) =>
    `gf.rmsNorm(${x}, ${gain || 'null'}, { epsilon: ${shortest(step.attributes.epsilon)} })`,
  helpers: {
    numpy: {
      rms_norm: `def rms_norm(x, gain, epsilon):
    z = x / np.sqrt((x * x).mean(axis=-1, keepdims=True) + epsilon)
    return z if gain is None else z * gain`,
    },
  },
};

/** @type {import('./kit/page.js').Derivation} */
export const derivation = (notation) =>
  norm(notation, (x) => x, notation.mathml`<mi mathvariant="normal">rms</mi>`);

/** @type {import('./kit/page.js').Drawing} */
export const drawing = { below: true, intro: () => 'introRow', opening: () => 'level' };

/** @type {import('./kit/uses.js').Uses} */
export const uses = (...use) => usesOfNorm(false)(...use);

/** @type {import('./kit/page.js').Lines} */
export const lines =
  ({ valued, exact }) =>
  ({ x, root, normalised, gain }) => [
    `(${valued(x)}) / ${exact(root)} = ${exact(normalised)}`,
    ...(gain ? [`× ${valued(gain)}`] : []),
  ];
