// Rows of mean 0 and variance 1, scaled and shifted.

import { cell, f32, operand, rowOf, rowSum, widthOf } from './kit/cells.js';
import { norm } from './kit/derivations.js';
import { gainOf, normOf, repeated } from './kit/partials.js';
import { usesOfNorm } from './kit/uses.js';

/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** The method of a tape.
 * @satisfies {ThisType<import('../tape/nodes.js').Nodes>} */
export const tape = {
  /** Normalises each row to mean 0 and variance 1, then scales and shifts it.
   * @param {Tensor} x @param {Tensor | null} gain [C] @param {Tensor | null} bias [C]
   * @param {number} epsilon usually 1e-5
   * @param {string} name */
  layerNorm(x, gain, bias, epsilon, name) {
    return this.push('layer_norm', { x, gain, bias }, { epsilon }, name);
  },
};

/** @type {import('./kit/cells.js').Story} */
export const story = (question) => {
  const [, gain, bias] = question.operands;
  const x = operand(question, 0);
  const width = widthOf(x);
  const column = question.offset % width;
  const row = rowOf(x, question.offset).map(({ value }) => value);
  const mean = f32(rowSum(row) / width);
  const away = row.map((value) => f32(value - mean));
  /* What the rounding of the mean left over. */
  const rest = f32(rowSum(away) / width);
  const squares = f32(rowSum(away.map((d) => f32(d * d))) / width);
  const variance = Math.max(f32(squares - f32(rest * rest)), 0);
  const { epsilon } = question.step.attributes;
  const deviation = f32(Math.sqrt(f32(variance + f32(epsilon))));
  const normalised = f32(f32(away[column] - rest) * f32(1 / deviation));
  return {
    x: cell(x, question.offset),
    mean,
    deviation,
    normalised,
    gain: gain && cell(gain, column),
    bias: bias && cell(bias, column),
  };
};

/** y = gain (x - mean x) / s + bias, s = sqrt(var x + epsilon)
 * @type {import('./kit/partials.js').Rule[]} */
export const partials = [
  (question) => normOf(question, true),
  (question) => gainOf(question, true),
  (question) => repeated(question, operand(question, 2).data.length),
];

/** @type {import('./kit/code.js').Code} */
export const code = {
  numpy: ({ step, inputs: [x, gain, bias], float }) =>
    `layer_norm(${x}, ${gain || 'None'}, ${bias || 'None'}, ${float(step.attributes.epsilon)})`,
  pytorch: ({ step, inputs: [x, gain, bias], shortest }) =>
    `F.layer_norm(${x}, (${widthOf(step)},), ${gain || 'None'}, ${bias || 'None'}, ${shortest(step.attributes.epsilon)})`,
  javascript: ({ step, inputs: [x, gain, bias], shortest }) =>
    `gf.layerNorm(${x}, ${gain || 'null'}, ${bias || 'null'}, { epsilon: ${shortest(step.attributes.epsilon)} })`,
  helpers: {
    numpy: {
      layer_norm: `def layer_norm(x, gain, bias, epsilon):
    z = (x - x.mean(axis=-1, keepdims=True)) / np.sqrt(x.var(axis=-1, keepdims=True) + epsilon)
    z = z if gain is None else z * gain
    return z if bias is None else z + bias`,
    },
  },
};

/** @type {import('./kit/page.js').Derivation} */
export const derivation = (notation) =>
  norm(
    notation,
    (x) => notation.mathml`${x}${notation.minus}<mi>μ</mi>`,
    notation.mathml`<mi>σ</mi>`,
  );

/** @type {import('./kit/page.js').Drawing} */
export const drawing = { below: true, intro: () => 'introRow', opening: () => 'level' };

/** @type {import('./kit/uses.js').Uses} */
export const uses = (...use) => usesOfNorm(true)(...use);

/** @type {import('./kit/page.js').Lines} */
export const lines =
  ({ valued, exact }) =>
  ({ x, mean, deviation, normalised, gain, bias }) => [
    `(${valued(x)} - ${exact(mean)}) / ${exact(deviation)} = ${exact(normalised)}`,
    ...(gain ? [`× ${valued(gain)}`] : []),
    ...(bias ? [`+ ${valued(bias)}`] : []),
  ];
