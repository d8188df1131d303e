// Helpers for the functions of the ops on plain data.

import { checkBoolean, checkOptions } from '../base/errors.js';
import { alongAxis, checkAxis, reshape } from './layout.js';
import { answer, values, valuesOrNumber } from './read.js';
import { apply, call } from './run.js';

/** @typedef {import('../runtime/engine.js').Engine} Engine */
/** @typedef {import('./run.js').Method} Method */
/** @typedef {ReturnType<typeof kit>} Kit */
/** @typedef {import('../ops/kit/reductions.js').ReduceOptions} ReduceOptions */
/** @template V @typedef {import('./forms.js').Like<V>} Like */

/** @param {Engine} engine */
export const kit = (engine) => ({
  answer,
  reshape,
  valuesOrNumber,

  /** An op on operands that are read already.
   * @param {Method} method @param {Parameters<typeof call>[2]} operands
   * @param {unknown[]} attributes */
  call: (method, operands, ...attributes) => call(engine, method, operands, ...attributes),

  /** An op on its operands as they come, in the form of the first.
   * @template A what that form makes of it
   * @param {Method} method @param {Record<string, unknown>} operands @param {unknown[]} attributes
   * @returns {A} */
  apply: (method, operands, ...attributes) => apply(engine, method, operands, ...attributes),

  /** The same of two, the second of which may be a number.
   * @template A
   * @param {Method} method @param {unknown} a @param {unknown} b
   * @returns {A} */
  pair: (method, a, b) => apply(engine, method, { a, b: typeof b === 'number' ? [b] : b }),

  /** An op that takes each number by itself, so that any shape will do.
   * @template V
   * @param {Method} method @param {V} input @param {unknown[]} attributes
   * @returns {Like<V>} */
  each(method, input, ...attributes) {
    const x = valuesOrNumber(`${method}: x`, input);
    const y = call(engine, method, { x: reshape(x, [x.data.length]) }, ...attributes);
    return answer(x, reshape(y, x.shape));
  },

  /** An op that takes one axis away, or all.
   * @template A what the form of the input makes of it
   * @param {Method} method @param {unknown} input @param {ReduceOptions} options
   * @returns {A} */
  reduce(method, input, options) {
    checkOptions(method, options, ['axis', 'keepDims']);
    const { axis, keepDims = false } = options;
    checkBoolean(`${method}: keepDims`, keepDims);
    const x = values(`${method}: x`, input);
    const along = axis === undefined ? undefined : checkAxis(method, axis, x.shape.length);
    const { rows } = along === undefined ? { rows: x } : alongAxis(x, along);
    const y = call(
      engine,
      method,
      { x: along === undefined ? reshape(x, [x.data.length]) : rows },
      { axis: -1 },
    );
    const isLeft = (/** @type {number} */ i) => along !== undefined && i !== along;
    const shape = x.shape.flatMap((d, i) => (isLeft(i) ? [d] : keepDims ? [1] : []));
    return answer(x, reshape(y, shape));
  },
});
