// Each number times a constant.

import { single } from './kit/cells.js';

/** @typedef {import('../base/values.js').Values} Values */
/** @template V @typedef {import('../eager/forms.js').Like<V>} Like */
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
  scale: (x, factor) => each('scale', x, factor),
});

/** @type {import('./kit/cells.js').Story} */
export const story = (question) => ({
  ...single(question),
  factor: question.step.attributes.factor,
});

/** y = factor x
 * @type {import('./kit/partials.js').Rule[]} */
export const partials = [
  ({ step, offset }) => {
    const { factor } = step.attributes;
    return [{ offset, value: factor, formula: 'factor', parts: { factor } }];
  },
];

/** @type {import('./kit/code.js').Code} */
export const code = {
  numpy: ({ step, inputs: [x], float }) => `${x} * ${float(step.attributes.factor)}`,
  pytorch: ({ step, inputs: [x], shortest }) => `${x} * ${shortest(step.attributes.factor)}`,
  javascript: ({ step, inputs: [x], shortest }) =>
    `gf.scale(${x}, ${shortest(step.attributes.factor)})`,
};

/** Embeddings are multiplied by the root of their width. @param {import('./kit/page.js').Step} step */
const isRootOfWidth = ({ attributes: { factor }, shape }) =>
  Math.abs(factor * factor - Number(shape.at(-1))) < 1e-3;

/** @param {import('./kit/page.js').Step} step */
const isOfScores = ({ role }) => role === 'score';

/** The width of a query, whose root the scores are divided by.
 * @param {import('./kit/page.js').Step} step @param {import('./kit/page.js').View} view */
function queryWidth({ inputs }, { trace }) {
  const scores = trace.step(String(inputs[0]));
  return trace.step(String(scores.inputs[0])).shape.at(-1);
}

/** @type {import('./kit/page.js').Derivation} */
export const derivation = ({ mathml, operand, cell, value, plainNumber, fraction, root }) => ({
  symbols: (step) => {
    if (isOfScores(step)) {
      return fraction(operand(step, 0), root(mathml`<msub><mi>d</mi><mi>k</mi></msub>`));
    }
    const factor = isRootOfWidth(step) ? root(mathml`<mi>d</mi>`) : null;
    const plain = mathml`<mo>·</mo>${plainNumber(step.attributes.factor)}`;
    return mathml`${operand(step, 0)}${factor ?? plain}`;
  },
  indices: (explanation, view, step) => {
    const x = cell(explanation.x);
    if (isOfScores(step)) return [fraction(x, root(mathml`<mn>${queryWidth(step, view)}</mn>`))];
    const width = Number(step.shape.at(-1));
    const factor = isRootOfWidth(step) ? root(mathml`<mn>${width}</mn>`) : null;
    return [mathml`${x}${factor ?? mathml`<mo>·</mo>${plainNumber(explanation.factor)}`}`];
  },
  numbers: (explanation) => [
    mathml`${value(explanation.x)}<mo>·</mo>${plainNumber(explanation.factor)}`,
  ],
});

/** @type {import('./kit/page.js').Caption} */
export const caption =
  ({ number, plain }) =>
  ({ x, factor }) => ['scale', { x: number(x), factor: plain(factor) }];

/** @type {import('./kit/page.js').Drawing} */
export const drawing = {
  label: ({ attributes: { factor } }, digits) => `× ${digits(factor)}`,
};

/** @type {import('./kit/page.js').Lines} */
export const lines =
  ({ valued, exact }) =>
  ({ x, factor }) => [`${exact(factor)} × ${valued(x)}`];
