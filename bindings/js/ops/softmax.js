// Exponentials of a row, divided by their sum.

import { cell, f32, operand, powersOf, widthOf } from './kit/cells.js';
import { each } from './kit/partials.js';

/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** The method of a tape.
 * @satisfies {ThisType<import('../tape/nodes.js').Nodes>} */
export const tape = {
  /** Softmax over the last dimension; a row that is all -inf gives 0.
   * @param {Tensor} x @param {string} name */
  softmax(x, name) {
    return this.push('softmax', { x }, {}, name);
  },
};

/** @type {import('./kit/cells.js').Story} */
export const story = (question) => {
  const x = operand(question, 0);
  const powers = powersOf(x, question.offset, question.gf);
  return { ...powers, numerator: powers.row[question.offset % widthOf(x)].exp };
};

/** y_j = exp(x_j) / sum_k exp(x_k)
 * @type {import('./kit/partials.js').Rule[]} */
export const partials = [
  ({ step, offset }) => {
    const width = widthOf(step);
    const y_i = cell(step, offset);
    return each(width, (j) => {
      const other = offset - (offset % width) + j;
      const y_j = cell(step, other);
      const isSame = other === offset;
      const value = f32(y_i.value * ((isSame ? 1 : 0) - y_j.value));
      return {
        offset: other,
        value,
        formula: isSame ? 'y_i (1 - y_i)' : '-y_i y_j',
        parts: { y_i, y_j },
      };
    });
  },
];

/** A row that is masked entirely gives 0 in the core, and NaN in PyTorch.
 * @param {import('./kit/code.js').Line} line */
function pytorchSoftmax({ step, inputs: [x], operands: [scores] }) {
  const width = widthOf(step);
  const blind = scores?.data.some(
    (_, i) =>
      i % width === 0 &&
      scores.data.slice(i, i + width).every((score) => score === Number.NEGATIVE_INFINITY),
  );
  return `F.softmax(${x}, dim=-1)${blind ? '.nan_to_num(0)' : ''}`;
}

/** @type {import('./kit/code.js').Code} */
export const code = {
  numpy: ({ inputs: [x] }) => `softmax(${x})`,
  pytorch: pytorchSoftmax,
  javascript: ({ inputs: [x] }) => `gf.softmax(${x})`,
  helpers: {
    numpy: {
      softmax: `def softmax(x):
    top = np.max(x, axis=-1, keepdims=True)
    e = np.exp(x - np.where(np.isneginf(top), np.float32(0), top))
    total = e.sum(axis=-1, keepdims=True)
    return e / np.where(total == 0, np.float32(1), total)`,
    },
  },
};

/** @type {import('./kit/page.js').Derivation} */
export const derivation = ({
  mathml,
  operand,
  element,
  cell,
  plainNumber,
  fraction,
  power,
  call,
}) => ({
  symbols: (step) => call('softmax', operand(step, 0)),
  indices: (explanation) => {
    const entry = explanation.row[explanation.index[explanation.index.length - 1]];
    const before = entry.index
      .slice(0, -1)
      .map((/** @type {number} */ i) => mathml`<mn>${i + 1}</mn>`);
    const any = element(entry.node, [...before, mathml`<mi>k</mi>`]);
    const all = mathml`<munder><mo>∑</mo><mi>k</mi></munder>`;
    return [fraction(power(cell(entry)), mathml`${all}${power(any)}`)];
  },
  numbers: ({ numerator, total }) => [fraction(plainNumber(numerator), plainNumber(total))],
});

/** Of more powers than these a sentence has the first and the last. */
const MAX_POWERS = 4;

/** @type {import('./kit/page.js').Caption} */
export const caption =
  ({ number, plain, power, result }) =>
  (explanation, { term }) => {
    const keys = explanation.row.length;
    const total = plain(explanation.total);
    if (term === 0) return ['max', { max: plain(explanation.max) }];
    if (term <= keys) {
      const { exp, ...score } = explanation.row[term - 1];
      const max = plain(explanation.max, { signed: true });
      return ['exp', { x: number(score), max, exp: result(exp) }];
    }
    if (term === keys + 1) return ['total', { total }];
    const powers = explanation.row.map(power);
    if (keys > MAX_POWERS) powers.splice(1, keys - 2, '⋯');
    const sum = powers.flatMap((one, i) => (i > 0 ? [' + ', one] : [one]));
    const above = power(explanation.row[explanation.index.at(-1) ?? 0]);
    return ['quotient', { power: above, sum, max: plain(explanation.max) }];
  };

/** @type {import('./kit/page.js').Drawing} */
export const drawing = {
  motion: 'shares',
  intro: () => 'introShares',
  label: () => 'softmax\neˣ / Σ eˣ',
  /* The maximum, one power per key, their total, the quotient. */
  moments: (_, step) => widthOf(step) + 3,
};
