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

/** The width of a query. @param {import('./kit/page.js').Step} step @param {import('./kit/page.js').Traced} trace */
function queryWidth({ inputs }, trace) {
  const scores = trace.step(String(inputs[0]));
  return Number(trace.step(String(scores.inputs[0])).shape.at(-1));
}

/** What scores are divided by: a whole number, or the root of one. isWidth: that number is the width of a query.
 * @typedef {{ n: number, isRoot: boolean, isWidth: boolean }} Divisor */

/** Whether a float32 is 1 / x. @param {number} factor @param {number} x */
const isInverse = (factor, x) => Math.abs(factor * x - 1) < 1e-6;

/** What scores are divided by; null where it is neither a whole number nor the root of one.
 * @param {import('./kit/page.js').Step} step @param {import('./kit/page.js').Traced} trace
 * @returns {Divisor | null} */
function divisorOf(step, trace) {
  if (!isOfScores(step)) return null;
  const { factor } = step.attributes;
  const width = queryWidth(step, trace);
  for (const [n, isRoot] of /** @type {const} */ ([
    [width, true],
    [Math.round(1 / factor), false],
    [Math.round(factor ** -2), true],
  ])) {
    if (isInverse(factor, isRoot ? Math.sqrt(n) : n)) return { n, isRoot, isWidth: n === width };
  }
  return null;
}

/** A divisor in a formula. @param {Divisor} divisor
 * @param {Pick<import('./kit/page.js').Notation, 'mathml' | 'root'>} notation */
function written({ n, isRoot }, { mathml, root }) {
  const number = mathml`<mn>${n}</mn>`;
  return isRoot ? root(number) : number;
}

/** The same in a line of text. @param {Divisor} divisor @param {string} [as] what its number is written as */
const inText = ({ n, isRoot }, as = String(n)) => `${isRoot ? '√' : ''}${as}`;

/** @type {import('./kit/page.js').Derivation} */
export const derivation = ({ mathml, operand, cell, value, plainNumber, fraction, root }) => ({
  symbols: (step, { trace }) => {
    const divisor = divisorOf(step, trace);
    if (divisor) {
      const { n, isRoot, isWidth } = divisor;
      const below = isWidth ? mathml`<msub><mi>d</mi><mi>k</mi></msub>` : mathml`<mn>${n}</mn>`;
      return fraction(operand(step, 0), isRoot ? root(below) : below);
    }
    const factor = isRootOfWidth(step) ? root(mathml`<mi>d</mi>`) : null;
    const plain = mathml`<mo>·</mo>${plainNumber(step.attributes.factor)}`;
    return mathml`${operand(step, 0)}${factor ?? plain}`;
  },
  indices: (explanation, { trace }, step) => {
    const x = cell(explanation.x);
    const divisor = divisorOf(step, trace);
    if (divisor) return [fraction(x, written(divisor, { mathml, root }))];
    const width = Number(step.shape.at(-1));
    const factor = isRootOfWidth(step) ? root(mathml`<mn>${width}</mn>`) : null;
    return [mathml`${x}${factor ?? mathml`<mo>·</mo>${plainNumber(explanation.factor)}`}`];
  },
  numbers: (explanation, { trace }) => {
    const x = value(explanation.x);
    const divisor = divisorOf(trace.step(explanation.node), trace);
    if (divisor) return [fraction(x, written(divisor, { mathml, root }))];
    return [mathml`${x}<mo>·</mo>${plainNumber(explanation.factor)}`];
  },
});

/** @type {import('./kit/page.js').Caption} */
export const caption =
  ({ number, plain }) =>
  ({ node, x, factor }, { trace }) => {
    const divisor = divisorOf(trace.step(node), trace);
    if (divisor) return ['divided', { x: number(x), divisor: inText(divisor) }];
    return ['scale', { x: number(x), factor: plain(factor) }];
  };

/** @type {import('./kit/page.js').Drawing} */
export const drawing = {
  label(step, digits, trace) {
    const divisor = divisorOf(step, trace);
    if (!divisor) return `× ${digits(step.attributes.factor)}`;
    if (!divisor.isWidth) return `÷ ${inText(divisor)}`;
    return `÷ ${inText(divisor, 'd_k')}\nd_k = ${divisor.n}`;
  },
};

/** @type {import('./kit/page.js').Lines} */
export const lines =
  ({ valued, exact }) =>
  ({ x, factor }) => [`${exact(factor)} × ${valued(x)}`];
