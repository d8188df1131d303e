/// <reference lib="esnext.disposable" preserve="true" />
// What every entry exports besides load.

export { chain } from './chain.js';
export { exportModel, importModel } from './checkpoints/files.js';
export { GlassformerError } from './errors.js';
export { examples } from './example.js';
export { explain } from './explain.js';
export { batches } from './model/batches.js';
export { readModel } from './model/file.js';
export { sentence } from './sentence.js';
export { traceExample } from './trace.js';

/** @typedef {import('./example.js').Example} Example */
/** @typedef {import('./sentence.js').SentenceOptions} SentenceOptions */
/** @typedef {import('./tape.js').Tape} Tape */
/** @typedef {import('./tensor.js').Tensor} Tensor */
/** @typedef {import('./trace.js').Trace} Trace */
/** @typedef {import('./steps.js').Step} Step */
/** @typedef {import('./explain.js').Explanation} Explanation */
/** @typedef {import('./chain.js').Chain} Chain */
/** @typedef {import('./nudge.js').Nudge} Nudge */
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
