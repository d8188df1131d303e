/// <reference lib="esnext.disposable" preserve="true" />
// Glassformer: a transformer you can see through. This is all that the package exports.

import { start } from './engine.js';
import { glassformer } from './glassformer.js';

export { chain } from './chain.js';
export { exportModel, readModel } from './checkpoints/files.js';
export { GlassformerError } from './errors.js';
export { examples } from './example.js';
export { explain } from './explain.js';
export { batches } from './model/batches.js';
export { sentence } from './sentence.js';
export { traceExample } from './trace.js';

/** @typedef {import('./example.js').Example} Example */
/** @typedef {import('./sentence.js').SentenceOptions} SentenceOptions */
/** @typedef {import('./engine.js').LoadOptions} LoadOptions */
/** @typedef {import('./tape.js').Tape} Tape */
/** @typedef {import('./tensor.js').Tensor} Tensor */
/** @typedef {import('./trace.js').Trace} Trace */
/** @typedef {import('./steps.js').Step} Step */
/** @typedef {import('./explain.js').Explanation} Explanation */
/** @typedef {import('./chain.js').Chain} Chain */
/** @typedef {import('./nudge.js').Nudge} Nudge */
/** @typedef {import('./glassformer.js').Glassformer} Glassformer */
/** @typedef {import('./model/model.js').Model} Model */
/** @typedef {import('./model/run.js').Run} Run */
/** @typedef {import('./model/trace.js').ModelTrace} ModelTrace */
/** @typedef {import('./model/batches.js').Batch} Batch */
/** @typedef {import('./model/config.js').ModelOptions} ModelOptions */
/** @typedef {import('./model/inspect.js').Inspection} Inspection */
/** @typedef {import('./model/inspect.js').Update} Update */
/** @typedef {import('./model/train.js').TrainOptions} TrainOptions */
/** @typedef {import('./model/train.js').Step} TrainStep */
/** @typedef {import('./model/generate.js').GenerateOptions} GenerateOptions */

/** Compiles the core, which is inlined, and gives its functions.
 * @param {LoadOptions} [options]
 * @returns {Promise<Glassformer>} */
export async function load(options) {
  return glassformer(await start(options));
}
