// A run of a large model that leaves the thread free now and then.

import { checkListener, checkOptions } from '../base/errors.js';
import { checkSignal, inTurns } from '../base/turn.js';
import { inPlaceOfOthers, mayBePutAside } from '../tape/recent.js';
import { checkInputs, Reading } from './inputs/inputs.js';
import { RUN_OPTIONS, weightsOf } from './model.js';
import { prepared } from './ready.js';
import { forwardInSlices, inner } from './slices.js';

/** @typedef {import('./inputs/inputs.js').Inputs} Inputs */
/** @typedef {import('./model.js').Model} Model */
/** @typedef {import('./ready.js').RunOptions} RunOptions */
/** @typedef {import('./run.js').Run} Run */

/** Runs a model as `model.forward` does, step by step, with turns for everything else: between two turns lie a few steps, or
 * a part of a large product or attention.
 * @param {Model} model @param {Inputs} inputs
 * @param {RunOptions & { signal?: AbortSignal, onProgress?: (part: number) => void }} [options] part: 0 to 1
 * @returns {Promise<Run>}
 * @example
 * import { forwardInTurns } from 'glassformer';
 *
 * const model = gf.model({ kind: 'gpt', vocab: 8, dModel: 8, heads: 2, layers: 1, maxLength: 16 });
 * let done = 0;
 * const run = await forwardInTurns(model, { target: [1, 2, 3] }, { onProgress: (part) => { done = part; } });
 * run.logits.shape; // = [1, 3, 8]
 * done; // = 1
 * run.dispose();
 * model.dispose(); */
export async function forwardInTurns(model, inputs, options = {}) {
  const where = 'forwardInTurns';
  const weights = weightsOf(where, model);
  checkInputs(where, model.config, inputs);
  checkOptions(where, options, [...RUN_OPTIONS, 'signal', 'onProgress']);
  const { signal, onProgress, ...rest } = options;
  checkSignal(`${where}: signal`, signal);
  checkListener(`${where}: onProgress`, onProgress);
  const reading = new Reading(where, model.config, inputs);
  const run = inPlaceOfOthers(weights.engine.heap, () =>
    prepared(weights, model.config, reading, rest),
  );
  function* work() {
    yield* forwardInSlices(run.tape);
    yield 1;
    mayBePutAside(inner(run.tape).block);
    return run;
  }
  try {
    return await inTurns(work(), signal, onProgress);
  } catch (error) {
    run.dispose();
    throw error;
  }
}
