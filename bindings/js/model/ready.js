// Prepares a run of a model: its inputs are written, and forward() comes next.

import { checkBoolean, checkInteger, typeError } from '../base/errors.js';
import { UINT32 } from '../base/values.js';
import { valuesOf } from '../tape/tensor.js';
import { checkRemovals } from './config/remove.js';
import { Run } from './run.js';

/** @typedef {import('./config/config.js').Config} Config */
/** @typedef {import('./config/config.js').Removal} Removal */
/** @typedef {import('./inputs/inputs.js').Reading} Reading */
/** @typedef {Pick<import('./weights.js').Weights, 'tape'>} Weights */

/**
 * @typedef {object} RunOptions
 * @property {boolean} [training] with dropout
 * @property {number} [seed] of the dropout, 0 by default
 * @property {number} [step] of the dropout, 1 by default
 * @property {readonly Removal[]} [remove] steps to leave out, besides those that the model does without
 * @property {boolean} [gradients] of the parameters, for backward: true by default
 * @property {boolean | string[]} [steps] which steps can be read afterwards: true, all of them, by default;
 *   or the names of some; or false, the results alone. Without all steps there are no gradients,
 *   attention is one step, and values share memory: the same bits, sooner
 */

/** The names of the steps that are to stay; null for all.
 * @param {unknown} steps
 * @returns {string[] | null} */
function checkSteps(steps) {
  if (steps === true) return null;
  if (steps === false) return [];
  if (Array.isArray(steps)) return steps;
  throw typeError('steps', { where: 'forward: steps', given: steps });
}

/** A run whose leaves are written, and which was not run yet.
 * @param {Weights} weights @param {Config} config
 * @param {Reading} reading @param {RunOptions} options @param {(tape: import('../tape/tape.js').Tape) => void} [more]
 * @returns {Run} */
export function prepared(weights, config, reading, options, more) {
  const { training = false, seed = 0, step = 1, remove = [], steps = true } = options;
  const { gradients = steps === true } = options;
  const { where } = reading;
  const keep = checkSteps(steps);
  checkBoolean(`${where}: training`, training);
  checkBoolean(`${where}: gradients`, gradients);
  if (gradients && keep) {
    throw typeError('gradientsNeedSteps', { where });
  }
  checkInteger(`${where}: seed`, seed, 0, UINT32);
  checkInteger(`${where}: step`, step, 0, UINT32);
  checkRemovals(`${where}: remove`, remove);
  const changes = { remove: [...config.remove, ...remove] };
  const tape = weights.tape(
    { ...reading.batch(), training, fused: keep !== null },
    { changes, more, ...(keep ? { keep: () => keep } : { gradients }) },
  );
  try {
    reading.write(tape);
    if (training && config.dropout > 0) {
      valuesOf(tape.find('dropout.key')).set([seed, step]);
    }
  } catch (error) {
    tape.dispose();
    throw error;
  }
  return new Run(tape);
}
