// The cross entropy of logits against targets.

import { checkFinite, checkOptions } from '../base/errors.js';
import { f32, logOf, operand, powersOf, rowSum, widthOf } from './kit/cells.js';
import { options } from './kit/code.js';
import { cut } from './kit/partials.js';

/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/**
 * @typedef {object} CrossEntropyOptions
 * @property {Tensor | null} [weights] [V], of the classes
 * @property {'mean' | 'sum' | 'none'} [reduction] 'mean' by default, which divides by the sum of the
 *   targets' weights
 * @property {number} [ignoreIndex] a target that counts for nothing, -100 by default
 * @property {number} [labelSmoothing] 0 to 1, 0 by default
 */

/** The method of a tape.
 * @satisfies {ThisType<import('../tape/nodes.js').Nodes>} */
export const tape = {
  /** Cross entropy of logits [...,V] against targets: ids [...] or probabilities [...,V]. Gives [1],
   * or [...] without reduction.
   * @param {Tensor} logits @param {Tensor} targets @param {CrossEntropyOptions} options
   * @param {string} name */
  crossEntropy(logits, targets, options, name) {
    const allowed = ['weights', 'reduction', 'ignoreIndex', 'labelSmoothing'];
    checkOptions('crossEntropy', options, allowed);
    const { weights, reduction = 'mean', ignoreIndex = -100, labelSmoothing = 0 } = options;
    const smoothing = checkFinite('crossEntropy: labelSmoothing', labelSmoothing);
    const attributes = { reduction, ignore_index: ignoreIndex, smoothing };
    return this.push('cross_entropy', { logits, targets, weights }, attributes, name);
  },
};

/** @typedef {import('./kit/cells.js').Question} Question */
/** @typedef {import('./kit/cells.js').Step} Step */
/** @typedef {import('../trace/explain.js').Loss} Loss */

/** GF_SUM, GF_EACH; 0 is the mean. */
const SUM = 1;
const EACH = 2;

/** One row of a cross entropy; null if its target is passed over.
 * @param {Question} question @param {number} row
 * @returns {Loss | null} */
function lossOf({ operands, step, gf }, row) {
  const [logits, targets, weights] = /** @type {Step[]} */ (operands);
  const { smoothing, ignore_index: ignored } = step.attributes;
  const width = widthOf(logits);
  const soft = targets.kind !== 'ids';
  const target = soft ? null : targets.data[row];
  if (target === ignored) return null;
  const powers = powersOf(logits, row * width, gf);
  const log = logOf(powers, gf);
  const classes = powers.row.map((entry, j) => {
    const q = soft ? targets.data[row * width + j] : Number(j === target);
    const spread = f32(f32(f32(1 - smoothing) * q) + f32(smoothing / width));
    const wanted = f32((weights?.data[j] ?? 1) * spread);
    const { node, index, value } = entry;
    const surprise = f32(-f32(entry.shifted - log));
    /* What is not wanted costs nothing, were it impossible too. */
    const free = wanted === 0 && surprise === Number.POSITIVE_INFINITY;
    const product = free ? 0 : f32(wanted * surprise);
    return { node, index, value, wanted, surprise, product };
  });
  const weight = weights && target !== null ? weights.data[target] : 1;
  const loss = rowSum(classes.map(({ product }) => product));
  return { target, max: powers.max, log, classes, weight, loss };
}

/** What a cross entropy's row wants: the share of each class, weighted and smoothed.
 * @param {import('./kit/partials.js').Question} question @param {number} row @param {number} width */
function wanted({ step, operands }, row, width) {
  const [, target, weights] = /** @type {Step[]} */ (operands);
  const { smoothing } = step.attributes;
  const share = (/** @type {number} */ j) =>
    target.kind === 'ids' ? Number(target.data[row] === j) : target.data[row * width + j];
  return Array.from(
    { length: width },
    (_, j) => (weights ? weights.data[j] : 1) * ((1 - smoothing) * share(j) + smoothing / width),
  );
}

/** What a mean cross entropy divides by: the rows, or the weights of their targets; of the whole batch, if its
 * rows are but a part of one.
 * @param {import('./kit/partials.js').Question} question @param {number} rows */
function countOf({ step, operands }, rows) {
  const [, target, weights] = /** @type {Step[]} */ (operands);
  if (step.count !== undefined) return step.count;
  if (target.kind !== 'ids') return rows;
  let count = 0;
  for (const id of target.data) {
    if (id !== step.attributes.ignore_index) count += weights ? weights.data[id] : 1;
  }
  return count;
}

/** @type {import('./kit/cells.js').Story} */
export const story = (question) => {
  const { step, offset } = question;
  const logits = operand(question, 0);
  const rows = logits.data.length / widthOf(logits);
  const { reduction } = step.attributes;
  if (reduction === EACH) return { losses: [lossOf(question, offset)], count: 1 };
  const losses = Array.from({ length: rows }, (_, row) => lossOf(question, row));
  return { losses, count: reduction === SUM ? 1 : countOf(question, rows) };
};

/** loss = - sum_j q_j log p_j / n, p = softmax(x); q is weighted and smoothed
 * @type {import('./kit/partials.js').Rule[]} */
export const partials = [
  (question) => {
    const { step, offset, gf } = question;
    const logits = operand(question, 0);
    const target = operand(question, 1);
    const width = widthOf(logits);
    const row = Math.floor(offset / width);
    const to = step.data.length === 1 ? 0 : row;
    const ignored = target.kind === 'ids' && target.data[row] === step.attributes.ignore_index;
    if (ignored) return [cut(to)];
    const shares = wanted(question, row, width);
    const q = shares[offset % width];
    const total = shares.reduce((sum, share) => sum + share, 0);
    const n = step.attributes.reduction === 0 ? countOf(question, logits.data.length / width) : 1;
    const first = offset - (offset % width);
    const p = gf.softmax([Array.from(logits.data.slice(first, first + width))])[0][offset % width];
    const even = Math.abs(total - 1) < 1e-6;
    return [
      {
        offset: to,
        value: f32((p * (even ? 1 : total) - q) / n),
        formula: even ? '(p - q) / n' : '(total p - q) / n',
        parts: { p, q: f32(q), n, ...(!even && { total: f32(total) }) },
      },
    ];
  },
];

/** @type {import('./kit/code.js').Code} */
export const code = {
  numpy: ({ step, inputs: [x, targets, weights], shortest }) => {
    const { reduction, ignore_index, smoothing } = step.attributes;
    const how = ['mean', 'sum', 'none'][reduction];
    return `cross_entropy(${x}, ${targets}, ${weights || 'None'}, "${how}", ${ignore_index}, ${shortest(smoothing)})`;
  },
  pytorch: ({ step, inputs: [x, targets, weights], operands, shortest }) => {
    const { reduction, ignore_index, smoothing } = step.attributes;
    const logits = /** @type {Step} */ (operands[0]);
    const soft = operands[1]?.kind !== 'ids';
    const one = [
      `${x}.reshape(-1, ${widthOf(logits)})`,
      `${targets}.reshape(-1${soft ? `, ${widthOf(logits)}` : ''})`,
      ...(weights ? [`weight=${weights}`] : []),
      ...(soft ? [] : [`ignore_index=${ignore_index}`]),
      `reduction="${['mean', 'sum', 'none'][reduction]}"`,
      `label_smoothing=${shortest(smoothing)}`,
    ].join(', ');
    return `F.cross_entropy(${one}).reshape(${step.shape.join(', ')})`;
  },
  javascript: ({ step, inputs: [x, targets, weights], shortest }) => {
    const { reduction, ignore_index, smoothing } = step.attributes;
    const one = `gf.crossEntropy(${x}, ${targets}${options({
      weights,
      reduction: ['', "'sum'", "'none'"][reduction],
      ignoreIndex: ignore_index !== -100 && ignore_index,
      labelSmoothing: smoothing > 0 && shortest(smoothing),
    })})`;
    return reduction === 2 ? one : `[${one}]`;
  },
  helpers: {
    numpy: {
      cross_entropy: `def cross_entropy(x, targets, weights, reduction, ignored, smoothing):
    classes = x.shape[-1]
    top = x.max(axis=-1, keepdims=True)
    log_p = x - top - np.log(np.exp(x - top).sum(axis=-1, keepdims=True))
    weights = np.ones(classes, np.float32) if weights is None else weights
    count = np.ones(x.shape[:-1], np.float32)
    if targets.dtype == np.int32:
        count = np.where(targets == ignored, 0, weights[np.where(targets == ignored, 0, targets)])
        targets = np.eye(classes, dtype=np.float32)[np.where(targets == ignored, 0, targets)]
    q = weights * ((1 - smoothing) * targets + smoothing / classes)
    loss = np.where(count == 0, 0, -np.where(q == 0, 0, q * log_p).sum(axis=-1))
    if reduction == "none":
        return loss.astype(np.float32)
    total = loss.sum() / (count.sum() if reduction == "mean" else 1)
    return np.array([total], dtype=np.float32)`,
    },
  },
};

/** @type {import('./kit/page.js').Lines} */
export const lines =
  ({ exact }) =>
  ({ losses, count }) => [
    ...losses.map((/** @type {import('../trace/explain.js').Loss | null} */ loss) =>
      loss ? `+ ${exact(loss.loss)}` : '+ nothing: the target is ignored',
    ),
    `divided by ${exact(count)}`,
  ];
