// Pairs of channels rotated by their position.

import { checkOptions } from '../base/errors.js';
import { cell, operand, productOf } from './kit/cells.js';
import { options } from './kit/code.js';
import { copied, times } from './kit/partials.js';

/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** The method of a tape.
 * @satisfies {ThisType<import('../tape/nodes.js').Nodes>} */
export const tape = {
  /** Turns each pair of a row by its position's angle: x [T,D], [H,T,D] or [B,H,T,D], rotation
   * [T,R/2,2], or [B,T,R/2,2] for the last.
   * @param {Tensor} x @param {Tensor} rotation
   * @param {{ interleaved?: boolean }} options interleaved: the pairs are neighbours
   * @param {string} name */
  rope(x, rotation, options, name) {
    checkOptions('rope', options, ['interleaved']);
    const { interleaved = false } = options;
    return this.push('rope', { x, rotation }, { interleaved }, name);
  },
};

/** Which number of which pair a cell is, and how far away the other one lies; null past the pairs.
 * @param {import('./kit/partials.js').Question} question of x */
function pairOf({ step, offset, operands }) {
  const [x, turns] = /** @type {import('./kit/page.js').Step[]} */ (operands);
  const [time, width] = x.shape.slice(-2);
  const pairs = /** @type {number} */ (turns.shape.at(-2));
  const column = offset % width;
  if (column >= 2 * pairs) return null;
  const row = Math.floor(offset / width);
  const { interleaved } = step.attributes;
  const isSecond = interleaved ? column % 2 === 1 : column >= pairs;
  /* A rotation of its own for each sequence of a batch, or one for all. */
  const batch =
    turns.shape.length === 4 ? Math.floor((row * x.shape[0]) / (x.data.length / width)) : 0;
  const pair = interleaved ? column >> 1 : column % pairs;
  const turn = 2 * ((batch * time + (row % time)) * pairs + pair);
  const distance = interleaved ? 1 : pairs;
  return {
    isSecond,
    other: offset + (isSecond ? -distance : distance),
    ...{ cos: cell(turns, turn), sin: cell(turns, turn + 1) },
  };
}

/** @type {import('./kit/cells.js').Story} */
export const story = (question) => {
  const x = operand(question, 0);
  const pair = pairOf(question);
  if (!pair) return { from: cell(x, question.offset) };
  const { isSecond, other, cos, sin } = pair;
  return {
    turned: [productOf(cell(x, question.offset), cos), productOf(cell(x, other), sin)],
    sign: isSecond ? 1 : -1,
  };
};

/** (y_u, y_v) = (x_u cos - x_v sin, x_v cos + x_u sin)
 * @type {import('./kit/partials.js').Rule[]} */
export const partials = [
  (question) => {
    const { offset } = question;
    const pair = pairOf(question);
    if (!pair) return [copied(offset)];
    const { isSecond, other, cos, sin } = pair;
    const across = isSecond
      ? { offset: other, value: -sin.value, formula: '-sin', parts: { sin } }
      : times(other, 'sin', sin);
    return [times(offset, 'cos', cos), across];
  },
];

/** @param {import('./kit/code.js').Line} line */
const python = ({ step, inputs: [x, turns] }) =>
  `turned(${x}, ${turns}, interleaved=${step.attributes.interleaved ? 'True' : 'False'})`;

/** The function in Python.
 * @param {string} rank of turns @param {string} copy of x */
const turned = (rank, copy) => `def turned(x, turns, interleaved):
    if ${rank} == 4:
        turns = turns[:, None]
    cos, sin = turns[..., 0], turns[..., 1]
    pairs = turns.shape[-2]
    u = slice(0, 2 * pairs, 2) if interleaved else slice(0, pairs)
    v = slice(1, 2 * pairs, 2) if interleaved else slice(pairs, 2 * pairs)
    y = ${copy}
    y[..., u] = x[..., u] * cos - x[..., v] * sin
    y[..., v] = x[..., v] * cos + x[..., u] * sin
    return y`;

/** @type {import('./kit/code.js').Code} */
export const code = {
  numpy: python,
  pytorch: python,
  javascript: ({ step, inputs: [x, turns] }) =>
    `gf.rope(${x}, ${turns}${options({ interleaved: step.attributes.interleaved > 0 })})`,
  helpers: {
    numpy: { turned: turned('turns.ndim', 'x.copy()') },
    pytorch: { turned: turned('turns.dim()', 'x.clone()') },
  },
};

/** @type {import('./kit/page.js').Derivation} */
export const derivation = ({ mathml, operand, cell, value, call }) => {
  /** A number of a turned pair: two products, or what was passed through.
   * @param {import('./kit/page.js').Told} told
   * @param {(of: import('./kit/cells.js').Cell, signed: boolean) => import('./kit/page.js').Piece} show */
  const turn = ({ turned, sign, from }, show) => {
    if (!turned) return [show(from, false)];
    const [first, second] = turned.map(
      (/** @type {any} */ { a, b }, /** @type {number} */ i) =>
        mathml`${show(a, i > 0)}<mo>·</mo>${show(b, true)}`,
    );
    return [first, mathml`<mo form="infix">${sign < 0 ? '−' : '+'}</mo>${second}`];
  };
  return {
    symbols: (step) => call('turn', operand(step, 0)),
    indices: (explanation) => turn(explanation, cell),
    numbers: (explanation) => turn(explanation, value),
  };
};

/** @type {import('./kit/page.js').Caption} */
export const caption =
  ({ product }) =>
  ({ turned, sign }) => {
    if (!turned) return null;
    const [first, second] = turned.map((/** @type {any} */ { a, b }, /** @type {number} */ i) =>
      product(a, b, { signed: i > 0 }),
    );
    return [sign < 0 ? 'turnedLess' : 'turnedMore', { first, second }];
  };

/** @type {import('./kit/page.js').Drawing} */
export const drawing = { shown: 1 };

/** @type {import('./kit/page.js').Lines} */
export const lines =
  ({ valued }) =>
  ({ turned, sign, from }) => {
    if (!turned) return [`a copy of ${valued(from)}`];
    const [first, second] = turned.map(
      (/** @type {any} */ { a, b }) => `${valued(a)} × ${valued(b)}`,
    );
    return [first, `${sign < 0 ? '-' : '+'} ${second}`];
  };
