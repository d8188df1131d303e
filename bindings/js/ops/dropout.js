// Dropout: numbers that are zeroed at random.

import { checkBoolean, checkInteger, checkOptions } from '../base/errors.js';
import { UINT32 } from '../base/values.js';
import { f32, single } from './kit/cells.js';
import { cut } from './kit/partials.js';

/** @typedef {import('../base/values.js').Values} Values */
/** @template V @typedef {import('../eager/forms.js').Like<V>} Like */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** The method of a tape.
 * @satisfies {ThisType<import('../tape/nodes.js').Nodes>} */
export const tape = {
  /** Zeroes each number with probability p, and divides the others by 1 - p. For inference, bypass
   * the node.
   * @param {Tensor} x @param {Tensor} key ids [2]: a seed and a step @param {number} p 0 <= p < 1
   * @param {string} name */
  dropout(x, key, p, name) {
    return this.push('dropout', { x, key }, { p }, name);
  },
};

/** The function on plain data.
 * @param {import('../eager/kit.js').Kit} kit */
export const eager = ({ answer, call, reshape, valuesOrNumber }) => ({
  /** Zeroes each number with probability p, and divides the others by 1 - p; or, if not training,
   * changes nothing. What is kept depends on seed, step and place alone.
   * @template {Values | number} V
   * @param {V} x
   * @param {{ p?: number, training?: boolean, seed?: number, step?: number }} [options] p 0.5 and
   *   training true by default
   * @returns {Like<V>}
   * @example
   * gf.dropout([1, 1, 1, 1], { p: 0.5, seed: 1 }).every((x) => x === 0 || x === 2); // = true
   * gf.dropout([1, 2], { training: false }); // = [1, 2] */
  dropout(x, options = {}) {
    checkOptions('dropout', options, ['p', 'training', 'seed', 'step']);
    const { p = 0.5, training = true, seed = 0, step = 0 } = options;
    checkBoolean('dropout: training', training);
    const key = Int32Array.of(
      checkInteger('dropout: seed', seed, 0, UINT32),
      checkInteger('dropout: step', step, 0, UINT32),
    );
    const array = valuesOrNumber('dropout: x', x);
    const operands = {
      x: reshape(array, [array.data.length]),
      key: { data: key, shape: [2] },
    };
    const y = call('dropout', operands, p);
    return answer(array, training ? reshape(y, array.shape) : array);
  },
});

/** Whether a number was kept. A 0 does not show it: so ones are dropped in its place, for a node's random numbers depend
 * on its name and on the place in the whole batch.
 * @param {Omit<import('./kit/cells.js').Question, 'index'>} question */
function isKept({ step, operands: [x, key], offset, gf }) {
  if (x?.data[offset] !== 0) return step.data[offset] !== 0;
  const tape = gf.tape();
  const ones = tape.input('x', [step.from + step.data.length]);
  const ids = tape.ids('key', [2]);
  const kept = tape.dropout(ones, ids, step.attributes.p, step.name);
  tape.plan();
  ones.data.fill(1);
  ids.set(/** @type {import('./kit/cells.js').Step} */ (key).data);
  tape.forward();
  const value = kept.data[step.from + offset];
  tape.dispose();
  return value !== 0;
}

/** @type {import('./kit/cells.js').Story} */
export const story = (question) => ({
  ...single(question),
  rest: f32(1 - f32(question.step.attributes.p)),
  keep: isKept(question),
});

/** y = keep x / (1 - p)
 * @type {import('./kit/partials.js').Rule[]} */
export const partials = [
  (question) => {
    const { offset, step } = question;
    if (!isKept(question)) return [cut(offset)];
    const { p } = step.attributes;
    return [{ offset, value: f32(1 / f32(1 - f32(p))), formula: '1 / (1 - p)', parts: { p } }];
  },
];

/** @type {import('./kit/page.js').Derivation} */
export const derivation = ({
  mathml,
  minus,
  operand,
  cell,
  value,
  plainNumber,
  fraction,
  call,
}) => ({
  symbols: (step) => fraction(call('keep', operand(step, 0)), mathml`<mn>1</mn>${minus}<mi>p</mi>`),
  indices: ({ keep, x }) => [
    keep ? fraction(cell(x), mathml`<mn>1</mn>${minus}<mi>p</mi>`) : mathml`<mn>0</mn>`,
  ],
  numbers: ({ keep, x, rest }) => [
    keep ? fraction(value(x), plainNumber(rest)) : mathml`<mn>0</mn>`,
  ],
});

/** @type {import('./kit/page.js').Caption} */
export const caption =
  ({ number, plain }) =>
  ({ x, keep, rest }) =>
    keep ? ['passed', { x: number(x), rest: plain(rest) }] : ['dropped', { x: number(x) }];

/** @type {import('./kit/page.js').Drawing} */
export const drawing = { shown: 1 };

/** @type {import('./kit/page.js').Lines} */
export const lines =
  ({ valued, exact }) =>
  ({ x, keep, rest }) => [
    keep ? `(${valued(x)}) / ${exact(rest)}` : `dropped: ${valued(x)} becomes 0`,
  ];
