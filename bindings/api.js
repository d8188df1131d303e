/// <reference lib="esnext.disposable" preserve="true" />
// What every entry exports besides load.

export { GlassformerError } from './base/errors.js';
export { exportModel, importModel } from './checkpoints/files.js';
export { readModel } from './model/file.js';
export { batches } from './model/inputs/batches.js';
export { chain } from './trace/chain.js';
export { examples } from './trace/example.js';
export { explain } from './trace/explain.js';
export { sentence } from './trace/sentence.js';
export { traceExample } from './trace/trace-example.js';

/** @typedef {import('./trace/example.js').Example} Example */
/** @typedef {import('./trace/sentence.js').SentenceOptions} SentenceOptions */
/** @typedef {import('./tape/tape.js').Tape} Tape */
/** @typedef {import('./tape/tensor.js').Tensor} Tensor */
/** @typedef {import('./trace/trace-example.js').Trace} Trace */
/** @typedef {import('./trace/steps.js').Step} Step */
/** @typedef {import('./trace/explain.js').Explanation} Explanation */
/** @typedef {import('./trace/chain.js').Chain} Chain */
/** @typedef {import('./trace/nudge.js').Nudge} Nudge */
/** @typedef {import('./model/model.js').Model} Model */
/** @typedef {import('./model/run.js').Run} Run */
/** @typedef {import('./model/model-trace.js').ModelTrace} ModelTrace */
/** @typedef {import('./model/inputs/batches.js').Batch} Batch */
/** @typedef {import('./model/config/config.js').ModelOptions} ModelOptions */
/** @typedef {import('./model/inspect.js').Inspection} Inspection */
/** @typedef {import('./model/inspect.js').Update} Update */
/** @typedef {import('./model/train.js').TrainOptions} TrainOptions */
/** @typedef {import('./model/train.js').Step} TrainStep */
/** @typedef {import('./model/decode/generate.js').GenerateOptions} GenerateOptions */
