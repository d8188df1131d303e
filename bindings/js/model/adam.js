// A step of Adam over parameters, which may differ in rate and decay.

import { checkFinite, checkOptions, checkReal } from '../base/errors.js';
import { floatBits } from '../base/values.js';
import { SCHEDULES } from '../eager/numbers.js';

/** @typedef {import('../runtime/engine.js').Engine} Engine */
/** @typedef {import('./training-options.js').Checked} Checked */

/** What a parameter is called, and its shape. @typedef {{ name: string, shape: readonly number[] }} ParameterShape */

/** What a group of parameters does not share with the others.
 * @typedef {object} GroupOptions
 * @property {number} [rate] a factor of the learning rate, 1 by default
 * @property {number} [weightDecay] that of the training by default */

/** Numbers that lie together: where they, their gradients and both moments lie.
 * @typedef {{ places: number[], size: number, about?: ParameterShape }} Part */

const DIFFERING = ['rate', 'weightDecay'];

/** The learning rate of a step, 1 being the first.
 * @param {Engine} engine @param {Pick<Checked, 'schedule' | 'warmup' | 'rate'>} options
 * @param {number} total the last step of a schedule that ends @param {number} step @param {number} dModel for noam */
export function rateAt(engine, { schedule, warmup, rate }, total, step, dModel) {
  const peak = typeof rate === 'function' ? checkFinite('train: rate', rate(step)) : rate;
  const integers = [SCHEDULES.indexOf(schedule), warmup, total, dModel];
  return engine.core.gf_learning_rate(engine.config(integers, [peak]), step);
}

/** Takes a step with all parts.
 * @param {Engine} engine @param {readonly Part[]} parts
 * @param {Pick<Checked, 'betas' | 'epsilon' | 'weightDecay' | 'optimizer' | 'groups'>} options
 * @param {number} learningRate @param {number} step */
export function takeStep(engine, parts, options, learningRate, step) {
  const { betas, epsilon, optimizer, groups } = options;
  for (const { places, size, about } of parts) {
    const differing = (about && groups?.(about)) ?? {};
    const where = `train: groups: ${about?.name}`;
    checkOptions(where, differing, DIFFERING);
    const { rate = 1, weightDecay = options.weightDecay } = differing;
    checkReal(`${where}: rate`, rate, 0, Number.MAX_VALUE);
    checkReal(`${where}: weightDecay`, weightDecay, 0, 1);
    const floats = [learningRate * rate, ...betas, epsilon, weightDecay];
    const adam = engine.integers([...floatBits(floats), Number(optimizer === 'adamw'), step]);
    const [values, gradients, m, v] = places;
    engine.core.gf_adam_step(values, gradients, m, v, 0, size, adam);
  }
}
