// What every entry exports besides load.

export { GlassformerError } from './js/base/errors.js';
export { batches } from './js/model/batches.js';
export { readModel } from './js/model/file.js';
export { forwardInTurns } from './js/model/forward-in-turns.js';
export { inspect } from './js/model/inspect.js';
export { traceModel, traceModelInTurns } from './js/model/model-trace.js';
export { train } from './js/model/train.js';
export { chain } from './js/trace/chain.js';
export { examples } from './js/trace/example.js';
export { explain } from './js/trace/explain.js';
export { sentence } from './js/trace/sentence.js';
export { traceExample } from './js/trace/trace-example.js';
export * from './js/types.js';
export { exportModel, importModel } from './models/checkpoints/files.js';
