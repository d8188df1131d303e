// Random numbers, learning rates and steps of training.

import {
  checkBoolean,
  checkFinite,
  checkInteger,
  checkOptions,
  checkReal,
  checkWord,
  readOptions,
} from '../base/errors.js';
import { checkShape, floatBits, INT32, isGiven, sizeOf, UINT32 } from '../base/values.js';
import { unfit } from './layout.js';
import { answer, values, valuesOrNumber } from './read.js';

/** @typedef {import('../runtime/engine.js').Engine} Engine */
/** @typedef {import('../base/values.js').Values} Values */
/** @typedef {import('./forms.js').Plain} Plain */
/** @template V @typedef {import('./forms.js').Like<V>} Like */

export const MAX_FLOAT32 = 2 ** 128 - 2 ** 104;

/** In the order of the core's numbers. */
export const SCHEDULES = /** @type {const} */ ([
  'constant',
  'linear',
  'cosine',
  'inverse-sqrt',
  'noam',
]);

/**
 * @typedef {object} Schedule
 * @property {'constant' | 'linear' | 'cosine' | 'inverse-sqrt' | 'noam'} kind how the rate changes with the step
 * @property {number} [rate] at the end of the warm-up; 1 by default
 * @property {number} [warmup] steps, 0 by default
 * @property {number} [total] steps, for linear and cosine, which end at 0
 * @property {number} [dModel] for noam
 */

/**
 * @typedef {object} AdamOptions
 * @property {number} [learningRate] 0.001 by default
 * @property {number} [beta1] 0.9 by default
 * @property {number} [beta2] 0.999 by default
 * @property {number} [epsilon] 1e-8 by default
 * @property {number} [weightDecay] 0 by default
 * @property {boolean} [decoupled] AdamW: the decay is taken off the value itself
 * @property {number} [step] 1 at the first, the default
 */

/** Values `value`, their gradients and moments, all of one shape. vMax: the largest second moments so far, which
 * AMSGrad divides by; without it this is plain Adam.
 * @template V
 * @template [M=Values | null]
 * @typedef {{ value: V, grad: Values, m: Values, v: Values, vMax?: M }} AdamState */

/** The next values and moments.
 * @template V
 * @template M
 * @typedef {{ value: Like<V>, m: Like<V>, v: Like<V> } & (M extends Values ? { vMax: Like<V> } : {})} AdamResult */

/** @typedef {Record<string, import('../base/errors.js').Rule>} Rules */
/** Which of all random numbers. @type {Rules} */
const RANDOM = { seed: [checkInteger, 0, UINT32], stream: [checkInteger, 0, UINT32] };
/** @type {Rules} */
const ADAM = {
  learningRate: [checkFinite],
  beta1: [checkReal, 0, 1, true],
  beta2: [checkReal, 0, 1, true],
  epsilon: [checkReal, 0, MAX_FLOAT32],
  weightDecay: [checkFinite],
  decoupled: [checkBoolean],
  step: [checkInteger, 1, INT32],
};

const STATE = /** @type {const} */ (['value', 'grad', 'm', 'v', 'vMax']);

/** @param {Engine} engine */
export const numbers = (engine) => {
  const { core, heap, memory } = engine;

  /** @param {'uniform' | 'normal'} kind @param {unknown} shape
   * @param {{ seed?: number, stream?: number }} options
   * @param {Readonly<Record<string, number>>} parameters and what they are by default
   * @returns {Plain} */
  const random = (kind, shape, options, parameters) => {
    const finite = Object.keys(parameters).map((name) => [name, [checkFinite]]);
    const checked = readOptions(kind, options, { ...RANDOM, ...Object.fromEntries(finite) });
    const { seed, stream, ...rest } = { seed: 0, stream: 0, ...parameters, ...checked };
    const [a, b] = Object.values(rest);
    if (kind === 'uniform') checkReal('uniform: high', b, a, MAX_FLOAT32);
    const dimensions = checkShape(kind, shape).map((d, i) =>
      checkInteger(`${kind}: shape[${i}]`, d, 1, INT32),
    );
    const size = sizeOf(dimensions);
    const address = heap.alloc(4 * size);
    core[`gf_${kind}`](address, size, seed, stream, a, b);
    const data = new Float32Array(memory.buffer, address, size).slice();
    heap.free(address);
    return { data, shape: dimensions };
  };

  return {
    /** Uniform numbers in [low, high) that depend on seed, stream and place alone.
     * @param {number[]} shape
     * @param {{ seed?: number, stream?: number, low?: number, high?: number }} [options]
     * @returns {Plain}
     * @example
     * const { data, shape } = gf.uniform([2, 3], { seed: 1, low: 2, high: 4 });
     * shape; // = [2, 3]
     * data.every((x) => x >= 2 && x < 4); // = true */
    uniform: (shape, options = {}) => random('uniform', shape, options, { low: 0, high: 1 }),

    /** Normal numbers that depend on seed, stream and place alone.
     * @param {number[]} shape
     * @param {{ seed?: number, stream?: number, mean?: number, deviation?: number }} [options]
     * @returns {Plain}
     * @example
     * gf.normal([2, 3], { seed: 1, mean: 5 }).shape; // = [2, 3] */
    normal: (shape, options = {}) => random('normal', shape, options, { mean: 0, deviation: 1 }),

    /** The normal distribution: the probability of a number below x. What gelu multiplies x by.
     * @template {Values | number} V
     * @param {V} x
     * @returns {Like<V>}
     * @example
     * gf.phi([-5, 0, 1]); // = [2.8665e-7, 0.5, 0.8413] */
    phi(x) {
      const array = valuesOrNumber('phi: x', x);
      const data = Float32Array.from(array.data, (x) => core.gf_phif(x));
      return answer(array, { data, shape: array.shape });
    },

    /** The learning rate of a step, 1 being the first.
     * @param {number} step @param {Schedule} schedule
     * @example
     * gf.learningRate(4000, { kind: 'noam', dModel: 512, warmup: 4000 }); // = 0.0007 */
    learningRate(step, schedule) {
      checkOptions('learningRate', schedule, ['kind', 'rate', 'warmup', 'total', 'dModel']);
      const { kind, rate = 1, warmup = 0 } = schedule;
      const ends = kind === 'linear' || kind === 'cosine';
      const isNoam = kind === 'noam';
      /* Options that a kind requires have no default. */
      const { total = ends ? undefined : 0, dModel = isNoam ? undefined : 0 } = schedule;
      const integers = [
        checkWord('learningRate: kind', kind, SCHEDULES),
        checkInteger('learningRate: warmup', warmup, 0, INT32),
        checkInteger('learningRate: total', total, ends ? warmup + 1 : 0, INT32),
        checkInteger('learningRate: dModel', dModel, Number(isNoam), INT32),
      ];
      checkInteger('learningRate: step', step, 0, INT32);
      const floats = [checkFinite('learningRate: rate', rate)];
      return core.gf_learning_rate(engine.config(integers, floats), step);
    },

    /** One step of Adam, or AdamW: new values and moments. With vMax it is AMSGrad.
     * @template {Values} V
     * @template {Values | null | undefined} [M=undefined]
     * @param {AdamState<V, M>} state m and v are 0 at first
     * @param {AdamOptions} [options]
     * @returns {AdamResult<V, M>}
     * @example
     * const before = { value: [1], grad: [0.5], m: [0], v: [0] };
     * gf.adam(before, { learningRate: 0.1, step: 1 }).value; // = [0.9] */
    adam(state, options = {}) {
      checkOptions('adam', state, [...STATE]);
      const read = readOptions('adam', options, ADAM);
      const { learningRate = 1e-3, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8 } = read;
      const { weightDecay = 0, decoupled = false, step = 1 } = read;
      const floats = [learningRate, beta1, beta2, epsilon, weightDecay];
      const names = STATE.filter((name) => name !== 'vMax' || isGiven(state.vMax));
      const arrays = names.map((name) => values(`adam: ${name}`, state[name]));
      const [{ shape }] = arrays;
      const size = sizeOf(shape);
      arrays.forEach((array, i) => {
        if (array.shape.join() !== shape.join()) {
          throw unfit(`adam: ${names[i]}`, array.shape, shape);
        }
      });
      const block = heap.alloc(4 * size * STATE.length);
      const places = names.map((_, i) => block + 4 * size * i);
      const view = (/** @type {number} */ address) =>
        new Float32Array(memory.buffer, address, size);
      places.forEach((address, i) => {
        view(address).set(arrays[i].data);
      });
      const [value, grad, m, v, vMax = 0] = places;
      const config = engine.integers([...floatBits(floats), Number(decoupled), step]);
      core.gf_adam_step(value, grad, m, v, vMax, size, config);
      const results = names.flatMap((name, i) =>
        name === 'grad'
          ? []
          : [[name, answer(arrays[0], { data: view(places[i]).slice(), shape })]],
      );
      heap.free(block);
      return /** @type {any} */ (Object.fromEntries(results));
    },
  };
};
