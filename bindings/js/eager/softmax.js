// Softmax and its logarithm, along an axis.

import { checkOptions } from '../base/errors.js';
import { alongAxis, checkAxis } from './layout.js';
import { answer, values } from './read.js';
import { call } from './run.js';

/** @typedef {import('../runtime/engine.js').Engine} Engine */
/** @typedef {import('../base/values.js').Values} Values */
/** @template V @typedef {import('./forms.js').Like<V>} Like */

/** @typedef {{ axis?: number }} AxisOption -1, the last, by default */

/** @param {Engine} engine */
export const softmax = (engine) => {
  /** @template V
   * @param {'softmax' | 'logSoftmax'} method @param {V} input @param {AxisOption} options
   * @returns {Like<V>} */
  const along = (method, input, options) => {
    checkOptions(method, options, ['axis']);
    const x = values(`${method}: x`, input);
    const { axis = -1 } = options;
    const { rows, back } = alongAxis(x, checkAxis(method, axis, x.shape.length));
    return answer(x, back(call(engine, method, { x: rows })));
  };

  return {
    /** Softmax along an axis, the last by default; where all is -Infinity it gives 0.
     * @template {Values} V
     * @param {V} x @param {AxisOption} [options]
     * @returns {Like<V>}
     * @example
     * gf.softmax([[0, 0, Math.log(2)]]); // = [[0.25, 0.25, 0.5]]
     * gf.softmax([[0, 5], [0, 5]], { axis: 0 }); // = [[0.5, 0.5], [0.5, 0.5]] */
    softmax: (x, options = {}) => along('softmax', x, options),

    /** Logarithm of the softmax along an axis, the last by default.
     * @template {Values} V
     * @param {V} x @param {AxisOption} [options]
     * @returns {Like<V>}
     * @example
     * gf.logSoftmax([0, 0]); // = [-0.6931, -0.6931] */
    logSoftmax: (x, options = {}) => along('logSoftmax', x, options),
  };
};
