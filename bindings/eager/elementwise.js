// Each number by itself; and sums of two arrays.

import { checkBoolean, checkInteger, checkOptions } from '../base/errors.js';
import { reshape } from './layout.js';
import { answer, values, valuesOrNumber } from './read.js';
import { run } from './run.js';

/** @typedef {import('../runtime/engine.js').Engine} Engine */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */
/** @typedef {import('../tape/tape.js').Tape} Tape */
/** @typedef {import('../base/values.js').Values} Values */
/** @template V @typedef {import('./read.js').Like<V>} Like */

const UINT32 = 2 ** 32 - 1;

/** @param {Engine} engine */
export const elementwise = (engine) => {
  /** An op that takes each number by itself, so that any shape will do.
   * @param {string} name @param {unknown} given @param {(tape: Tape, x: Tensor) => Tensor} build */
  const each = (name, given, build) => {
    const x = valuesOrNumber(`${name}: x`, given);
    const { y } = run(engine, { x: reshape(x, [x.data.length]) }, (tape, { x }) => ({
      y: build(tape, x),
    }));
    return answer(x, reshape(y, x.shape));
  };

  return {
    /** max(0, x)
     * @template {Values | number} V
     * @param {V} x
     * @returns {Like<V>}
     * @example
     * gf.relu([-1, 0, 2]); // = [0, 0, 2] */
    relu: (x) => each('relu', x, (tape, x) => tape.relu(x, 'y')),

    /** x Phi(x), Phi the normal distribution; approximate: 'tanh' is the older form.
     * @template {Values | number} V
     * @param {V} x @param {{ approximate?: 'none' | 'tanh' }} [options]
     * @returns {Like<V>}
     * @example
     * gf.gelu([-1, 0, 1]); // = [-0.1587, 0, 0.8413]
     * gf.gelu([-1, 0, 1], { approximate: 'tanh' }); // = [-0.1588, 0, 0.8412] */
    gelu: (x, options = {}) => each('gelu', x, (tape, x) => tape.gelu(x, options, 'y')),

    /** x sigmoid(factor x), also called swish.
     * @template {Values | number} V
     * @param {V} x @param {number} [factor] 1 by default
     * @returns {Like<V>}
     * @example
     * gf.silu([0, 1]); // = [0, 0.7311] */
    silu: (x, factor = 1) => each('silu', x, (tape, x) => tape.silu(x, factor, 'y')),

    /** 1 / (1 + e^-x)
     * @template {Values | number} V
     * @param {V} x
     * @returns {Like<V>}
     * @example
     * gf.sigmoid([0, Math.log(3)]); // = [0.5, 0.75] */
    sigmoid: (x) => each('sigmoid', x, (tape, x) => tape.sigmoid(x, 'y')),

    /** @template {Values | number} V
     * @param {V} x
     * @returns {Like<V>}
     * @example
     * gf.tanh([0, 1]); // = [0, 0.7616] */
    tanh: (x) => each('tanh', x, (tape, x) => tape.tanh(x, 'y')),

    /** The error function.
     * @template {Values | number} V
     * @param {V} x
     * @returns {Like<V>}
     * @example
     * gf.erf([0, 1]); // = [0, 0.8427] */
    erf: (x) => each('erf', x, (tape, x) => tape.erf(x, 'y')),

    /** e^x, the core's own: one term of a softmax.
     * @template {Values | number} V
     * @param {V} x
     * @returns {Like<V>}
     * @example
     * gf.exp([0, 1]); // = [1, 2.7183]
     * gf.exp(0); // = 1 */
    exp: (x) => each('exp', x, (tape, x) => tape.exp(x, 'y')),

    /** cap tanh(x / cap): keeps scores within -cap..cap.
     * @template {Values | number} V
     * @param {V} x @param {number} cap above 0
     * @returns {Like<V>}
     * @example
     * gf.softcap([0, 1, 100], 2); // = [0, 0.9242, 2] */
    softcap: (x, cap) => each('softcap', x, (tape, x) => tape.softcap(x, cap, 'y')),

    /** factor x
     * @template {Values | number} V
     * @param {V} x @param {number} factor
     * @returns {Like<V>}
     * @example
     * gf.scale([[3, -1]], 0.5); // = [[1.5, -0.5]] */
    scale: (x, factor) => each('scale', x, (tape, x) => tape.scale(x, factor, 'y')),

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
      const flat = reshape(array, [array.data.length]);
      const { y } = run(engine, { x: flat, key: { data: key, shape: [2] } }, (tape, { x, key }) => {
        const y = tape.dropout(x, key, p, 'y');
        return { y: training ? y : x };
      });
      return answer(array, reshape(y, array.shape));
    },

    /** gate sigmoid(factor gate) up, of equal shapes.
     * @template {Values} V
     * @param {V} gate @param {Values} up @param {number} [factor] 1 by default
     * @returns {Like<V>}
     * @example
     * gf.swiglu([0, 1], [5, 2]); // = [0, 1.4621] */
    swiglu(gate, up, factor = 1) {
      const operands = { gate: values('swiglu: gate', gate), up: values('swiglu: up', up) };
      const { y } = run(engine, operands, (tape, { gate, up }) => ({
        y: tape.swiglu(gate, up, factor, 'y'),
      }));
      return answer(operands.gate, y);
    },

    /** a + b, b repeated over the leading dimensions that it lacks.
     * @template {Values} V
     * @param {V} a @param {Values} b
     * @returns {Like<V>}
     * @example
     * gf.add([[1, 2], [3, 4]], [10, 20]); // = [[11, 22], [13, 24]] */
    add(a, b) {
      const operands = { a: values('add: a', a), b: values('add: b', b) };
      const { y } = run(engine, operands, (tape, { a, b }) => ({ y: tape.add(a, b, 'y') }));
      return answer(operands.a, y);
    },
  };
};
