// How far predictions are from targets.

import { checkInt32, checkOptions, checkWord, rangeError } from '../base/errors.js';
import { isGiven } from '../base/values.js';
import { alongAxis, checkAxis, reshape, unfit } from './layout.js';
import { answer, ids, values } from './read.js';
import { run } from './run.js';

/** @typedef {import('../runtime/engine.js').Engine} Engine */
/** @typedef {import('../base/values.js').Values} Values */
/** @typedef {import('./read.js').Arranged} Arranged */
/** @template V @template R @typedef {import('./forms.js').Reduced<V, R>} Reduced */

/** What becomes of the losses of all targets. @typedef {'mean' | 'sum' | 'none'} Reduction */

/**
 * @template {Reduction} [R=Reduction]
 * @typedef {object} NllOptions
 * @property {number} [axis] of the classes, -1 by default; 1 is what PyTorch takes
 * @property {Values | null} [weights] of the classes
 * @property {R} [reduction] 'mean' by default, which divides by the sum of the
 *   targets' weights
 * @property {number} [ignoreIndex] a target that counts for nothing, -100 by default
 */

/** labelSmoothing is 0 by default.
 * @template {Reduction} [R=Reduction]
 * @typedef {NllOptions<R> & { labelSmoothing?: number }} CrossEntropyOptions */

const REDUCTIONS = ['mean', 'sum', 'none'];

/** Scores of classes as rows, with weights.
 * @param {string} where @param {unknown} input @param {NllOptions} options */
function classRows(where, input, options) {
  const x = values(`${where}: x`, input);
  const { weights, axis = -1 } = options;
  const along = checkAxis(where, axis, x.shape.length);
  return {
    x,
    axis: along,
    rows: alongAxis(x, along).rows,
    shape: x.shape.toSpliced(along, 1),
    weights: isGiven(weights) ? values(`${where}: weights`, weights) : null,
  };
}

/** Ids, one per row.
 * @param {string} where @param {unknown} input @param {readonly number[]} shape
 * @returns {Arranged} */
function targetIds(where, input, shape) {
  const targets = ids(`${where}: targets`, input);
  if (targets.shape.length !== shape.length || targets.shape.some((d, i) => d !== shape[i])) {
    throw unfit(`${where}: targets`, targets.shape, shape);
  }
  return reshape(targets, [targets.data.length]);
}

/** @param {Engine} engine */
export const losses = (engine) => ({
  /** Cross entropy of logits: - log softmax at the target. Targets are ids, of the logits' shape
   * without the classes, or probabilities, of the logits' shape.
   * @template {Values} V
   * @template {Reduction} [R='mean']
   * @param {V} logits @param {Values} targets @param {CrossEntropyOptions<R>} [options]
   * @returns {Reduced<V, R>} a number; without reduction one for each target. The mean of no losses,
   *   because all targets are ignored or weigh nothing, is NaN
   * @example
   * gf.crossEntropy([[0, 0], [0, Math.log(3)]], [1, 1]); // = 0.4904
   * gf.crossEntropy([[0, 0]], [1], { reduction: 'none' }); // = [0.6931] */
  crossEntropy(logits, targets, options = {}) {
    const allowed = ['axis', 'weights', 'reduction', 'ignoreIndex', 'labelSmoothing'];
    checkOptions('crossEntropy', options, allowed);
    const { ignoreIndex, labelSmoothing } = options;
    const { reduction = /** @type {Reduction} */ ('mean') } = options;
    const { x, axis, rows, shape, weights } = classRows('crossEntropy', logits, options);
    const likely = values('crossEntropy: targets', targets);
    const soft = likely.shape.length === x.shape.length;
    const operands = {
      x: rows,
      targets: soft ? alongAxis(likely, axis).rows : targetIds('crossEntropy', targets, shape),
      weights,
    };
    const attributes = { reduction, ignoreIndex, labelSmoothing };
    const { y } = run(
      engine,
      'crossEntropy',
      operands,
      attributes,
      (tape, { x, targets, weights }, rest) => ({
        y: tape.crossEntropy(x, targets, { weights, ...rest }, 'y'),
      }),
    );
    return answer(x, reshape(y, reduction === 'none' ? shape : []));
  },

  /** Negative log-likelihood: minus what log-probabilities say at the target, an id.
   * @template {Values} V
   * @template {Reduction} [R='mean']
   * @param {V} logProbs @param {Values} targets of the shape without the classes
   * @param {NllOptions<R>} [options]
   * @returns {Reduced<V, R>} a number; without reduction one for each target. The mean of no losses
   *   is NaN
   * @example
   * gf.nllLoss(gf.logSoftmax([[0, 0]]), [1]); // = 0.6931 */
  nllLoss(logProbs, targets, options = {}) {
    checkOptions('nllLoss', options, ['axis', 'weights', 'reduction', 'ignoreIndex']);
    const { ignoreIndex = -100, reduction = /** @type {Reduction} */ ('mean') } = options;
    checkWord('nllLoss: reduction', reduction, REDUCTIONS);
    checkInt32('nllLoss: ignoreIndex', ignoreIndex);
    const { x, rows, shape, weights } = classRows('nllLoss', logProbs, options);
    const places = targetIds('nllLoss', targets, shape).data;
    const [count, classes] = rows.shape;
    const [picked, weight] = [new Float32Array(count), new Float32Array(count)];
    const ofClass = weights ? weights.data : new Float32Array(classes).fill(1);
    if (ofClass.length !== classes) throw unfit('nllLoss: weights', [ofClass.length], [classes]);
    places.forEach((id, i) => {
      if (id === ignoreIndex) return;
      if (id < 0 || id >= classes) {
        throw rangeError('noClass', { where: 'nllLoss: targets', value: id, classes });
      }
      picked[i] = rows.data[i * classes + id];
      weight[i] = ofClass[id];
    });
    /* One product for each row, or one sum of products. */
    const each = reduction === 'none' ? [count, 1, 1] : [1, 1, count];
    const operands = {
      picked: { data: picked, shape: each },
      weight: { data: weight, shape: each },
      ones: { data: new Float32Array(count).fill(1), shape: each },
    };
    const { y, total } = run(engine, 'nllLoss', operands, {}, (tape, { picked, weight, ones }) => {
      const product = tape.matmulTransposed(picked, weight, 'product');
      return {
        y: tape.scale(product, -1, 'y'),
        total: tape.matmulTransposed(weight, ones, 'total'),
      };
    });
    if (reduction === 'mean') y.data[0] /= total.data[0];
    return answer(x, reshape(y, reduction === 'none' ? shape : []));
  },
});
