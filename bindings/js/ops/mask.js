// Scores that do not count become -inf.

import { flatIndex } from '../base/cell.js';
import { checkOptions } from '../base/errors.js';
import { cellIndex } from '../base/values.js';
import { operand, single } from './kit/cells.js';
import { options } from './kit/code.js';
import { copied, cut, each } from './kit/partials.js';

/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/**
 * @typedef {object} MaskOptions
 * @property {boolean} [causal] query i sees key j only if j <= i + offset
 * @property {number} [offset] how many keys come before the first query, 0 by default
 * @property {Tensor | null} [mask] ids: 0 masks; values: added to the scores
 * @property {Tensor | null} [lengths] ids [B]: keys from lengths[b] on are padding
 */

/** The method of a tape.
 * @satisfies {ThisType<import('../tape/nodes.js').Nodes>} */
export const tape = {
  /** Makes masked scores -inf: x [...,Tq,Tk] -> the same shape
   * @param {Tensor} x @param {MaskOptions} options @param {string} name */
  mask(x, options, name) {
    checkOptions('mask', options, ['causal', 'offset', 'mask', 'lengths']);
    const { causal = false, offset = 0, mask, lengths } = options;
    return this.push('mask', { x, mask, lengths }, { causal, offset }, name);
  },
};

/** Where a mask has the cell of an index of the scores: aligned at the right, a dimension of 1 stands for all.
 * @param {import('./kit/page.js').Step} mask @param {readonly number[]} index */
function offsetIn({ shape }, index) {
  const last = index.slice(-shape.length);
  const place = shape.map((d, i) => (d === 1 ? 0 : last[i]));
  return flatIndex('mask', shape, place);
}

/** @type {import('./kit/cells.js').Story} */
export const story = (question) => {
  const { step, index } = question;
  const [, mask, lengths] = question.operands;
  const [query, key] = index.slice(-2);
  const { x } = single(question);
  const kept = /** @type {const} */ ({ x, keep: true, reason: 'kept', added: null });
  const masked = (/** @type {'causal' | 'window' | 'padding' | 'mask'} */ reason) => ({
    ...kept,
    ...{ keep: false, reason },
  });
  const { causal, offset, window = 0 } = step.attributes;
  if (causal && key > query + offset) return masked('causal');
  const keys = /** @type {number} */ (step.shape.at(-1));
  /* One sequence has one length, whether its batch is still a dimension or not. */
  const length = lengths ? lengths.data[lengths.data.length > 1 ? index[0] : 0] : keys;
  if (key >= length) return masked('padding');
  const end = causal ? query + offset + 1 : Math.min(length, keys);
  if (window && key < end - window) return masked('window');
  if (!mask) return kept;
  const value = mask.data[offsetIn(mask, index)];
  if (mask.kind === 'ids') return value ? kept : masked('mask');
  if (value === Number.NEGATIVE_INFINITY) return masked('mask');
  return { ...kept, reason: 'added', added: value };
};

/** y = x where kept, plus a mask of numbers, and -inf where masked
 * @type {import('./kit/partials.js').Rule[]} */
export const partials = [
  ({ step, offset }) => [
    step.data[offset] === Number.NEGATIVE_INFINITY ? cut(offset) : copied(offset),
  ],
  (question) => {
    const { step, offset } = question;
    const mask = operand(question, 1);
    return each(step.data.length, copied)
      .filter((y) => offsetIn(mask, cellIndex(step.shape, y.offset)) === offset)
      .map((y) => (step.data[y.offset] === Number.NEGATIVE_INFINITY ? cut(y.offset) : y));
  },
];

/** @param {import('./kit/code.js').Line} line */
function keptNumPy({ step, inputs: [, mask, lengths], operands }) {
  const [queries, keys] = step.shape.slice(-2);
  const { causal, offset } = step.attributes;
  const ones = '1, '.repeat(step.shape.length - 1);
  return [
    ...(causal ? [`np.tril(np.ones((${queries}, ${keys}), bool), ${offset})`] : []),
    ...(lengths ? [`(np.arange(${keys}) < ${lengths}.reshape(-1, ${ones.slice(0, -2)}))`] : []),
    ...(mask && operands[1]?.kind === 'ids' ? [`(${mask} != 0)`] : []),
  ].join(' & ');
}

/** @param {import('./kit/code.js').Line} line */
function keptPyTorch({ step, inputs: [, mask, lengths], operands }) {
  const [queries, keys] = step.shape.slice(-2);
  const { causal, offset } = step.attributes;
  const ones = ', 1'.repeat(step.shape.length - 1);
  return [
    ...(causal ? [`torch.ones(${queries}, ${keys}, dtype=torch.bool).tril(${offset})`] : []),
    ...(lengths ? [`(torch.arange(${keys}) < ${lengths}.view(-1${ones}))`] : []),
    ...(mask && operands[1]?.kind === 'ids' ? [`(${mask} != 0)`] : []),
  ].join(' & ');
}

/** @type {import('./kit/code.js').Code} */
export const code = {
  numpy: (line) => {
    const [x, mask] = line.inputs;
    const added = mask && line.operands[1]?.kind !== 'ids' ? `${x} + ${mask}` : x;
    const kept = keptNumPy(line);
    return kept ? `np.where(${kept}, ${added}, np.float32(-np.inf))` : added;
  },
  pytorch: (line) => {
    const [x, mask] = line.inputs;
    const added = mask && line.operands[1]?.kind !== 'ids' ? `(${x} + ${mask})` : x;
    const kept = keptPyTorch(line);
    return kept ? `${added}.masked_fill(~(${kept}), -math.inf)` : added;
  },
  javascript: ({ step, inputs: [x, mask, lengths], operands }) => {
    const { causal, offset } = step.attributes;
    /* Numbers would be added: integers tell what is kept. */
    const kept = `{ data: Int32Array.from(${mask}.flat(Infinity)), shape: [${operands[1]?.shape.join(', ')}] }`;
    return `gf.mask(${x}${options({
      causal: causal > 0,
      offset,
      mask: operands[1]?.kind === 'ids' ? kept : mask,
      lengths,
    })})`;
  },
};

/** @type {import('./kit/page.js').Derivation} */
export const derivation = ({ mathml, plus, minus, operand, cell, value, plainNumber, call }) => ({
  symbols: (step) => call('mask', operand(step, 0)),
  indices: ({ keep, x }) => [keep ? cell(x) : mathml`<mo form="prefix">−</mo><mi>∞</mi>`],
  numbers: ({ keep, x, added }) => {
    if (!keep) return [mathml`<mo form="prefix">−</mo><mi>∞</mi>`];
    if (added === null) return [value(x)];
    return [value(x), mathml`${added < 0 ? minus : plus}${plainNumber(Math.abs(added))}`];
  },
});

/** @type {import('./kit/page.js').Caption} */
export const caption =
  ({ number, plain }) =>
  ({ x, keep, reason, added }) => [
    reason === 'added' ? 'added' : keep ? 'kept' : 'masked',
    { x: number(x), added: plain(added ?? 0, { signed: true }) },
  ];

/** @type {import('./kit/page.js').Lines} */
export const lines =
  ({ valued, exact }) =>
  ({ x, keep, reason, added }) => {
    if (!keep) return [`masked (${reason}): ${valued(x)} becomes -inf`];
    return [added === null ? `kept: ${valued(x)}` : `${valued(x)} + ${exact(added)}`];
  };
