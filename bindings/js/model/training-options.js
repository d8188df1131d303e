// The options of a training, checked.

import {
  checkArray,
  checkBoolean,
  checkFinite,
  checkInteger,
  checkListener,
  checkReal,
  checkWord,
  orNoLimit,
  readOptions,
  TINY,
} from '../base/errors.js';
import { checkSignal } from '../base/turn.js';
import { INT32, isGiven, UINT32 } from '../base/values.js';
import { SCHEDULES } from '../eager/numbers.js';
import { rangeError, typeError } from './texts.js';

/** @typedef {import('./config/config.js').Config} Config */
/** @typedef {import('./train.js').TrainOptions} TrainOptions */
/** @typedef {ReturnType<typeof checkTraining>} Checked */

const OPTIMIZERS = ['adam', 'adamw'];
/** Sinusoids are right to 1e-6 up to 2^20. */
const MAX_SHIFT = 2 ** 19;

/** The batches of one step are held in memory. */
const MAX_ACCUMULATED = 10_000;
/** Steps between two looks at the validation loss. */
const VALIDATE_EVERY = 100;

/** @param {string} where @param {unknown} betas */
function checkBetas(where, betas) {
  if (!Array.isArray(betas) || betas.length !== 2) {
    throw typeError('twoNumbers', { where, given: betas });
  }
  for (const [i, beta] of betas.entries()) checkReal(`${where}[${i}]`, beta, 0, 1, true);
}

/** @param {string} where @param {unknown} rate */
const checkRate = (where, rate) => (typeof rate === 'function' ? rate : checkFinite(where, rate));

/** @type {Record<string, import('../base/errors.js').Rule>} */
const OPTIONS = {
  steps: [orNoLimit(checkInteger), 0, INT32],
  optimizer: [checkWord, OPTIMIZERS],
  schedule: [checkWord, SCHEDULES],
  rate: [checkRate],
  warmup: [checkInteger, 0, INT32],
  total: [checkInteger, 1, INT32],
  betas: [checkBetas],
  epsilon: [checkReal, 0, 1],
  weightDecay: [checkReal, 0, 1],
  groups: [checkListener],
  clip: [orNoLimit(checkReal), TINY, Number.MAX_VALUE],
  accumulate: [checkInteger, 1, MAX_ACCUMULATED],
  labelSmoothing: [checkReal, 0, 1],
  dropout: [checkReal, 0, 1, true],
  shift: [checkInteger, 0, MAX_SHIFT],
  seed: [checkInteger, 0, UINT32],
  restart: [checkBoolean],
  validation: [checkArray],
  validateEvery: [checkInteger, 1, INT32],
  keepBest: [checkBoolean],
  signal: [checkSignal],
};

/** Options that are undefined where nobody gives them. @typedef {'signal' | 'total' | 'groups'} Left */

/** @param {TrainOptions} options @param {Pick<Config, 'dropout'>} config */
export function checkTraining(options, config) {
  if (isGiven(Object(options).loss)) throw typeError('lossOfModel', { where: 'train: loss' });
  const read = readOptions('train', options, OPTIONS);
  const { optimizer = 'adam', schedule = 'constant' } = read;
  const noam = schedule === 'noam';
  /** @type {Required<Omit<TrainOptions, Left>> & Pick<TrainOptions, Left>} */
  const checked = {
    steps: Number.POSITIVE_INFINITY,
    rate: noam ? 1 : 1e-3,
    warmup: noam ? 4000 : 0,
    betas: [0.9, noam ? 0.98 : 0.999],
    epsilon: noam ? 1e-9 : 1e-8,
    weightDecay: optimizer === 'adamw' ? 0.01 : 0,
    clip: Number.POSITIVE_INFINITY,
    accumulate: 1,
    labelSmoothing: 0,
    dropout: config.dropout,
    shift: 0,
    seed: 0,
    restart: false,
    validation: [],
    validateEvery: VALIDATE_EVERY,
    keepBest: false,
    ...read,
    optimizer,
    schedule,
  };
  const ends = checked.total !== undefined || Number.isFinite(checked.steps);
  if (['cosine', 'linear'].includes(schedule) && !ends) {
    throw typeError('scheduleEnds', { where: 'train', schedule });
  }
  checked.betas = [checked.betas[0], checked.betas[1]];
  return checked;
}

/** The last step of a schedule that ends. Behind it the rate would be zero, and nothing be learned.
 * @param {Pick<Checked, 'schedule' | 'steps' | 'total'>} options @param {number} step at which the training begins */
export function totalOf({ schedule, steps, total }, step) {
  const last = total ?? Math.min(step + steps, INT32);
  if (['cosine', 'linear'].includes(schedule) && steps > 0 && step >= last)
    throw rangeError('scheduleOver', { where: 'train: total', schedule, step, given: last });
  return last;
}
