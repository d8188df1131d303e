// What every entry exports besides load.

export { GlassformerError } from './base/errors.js';
export { exportModel, importModel } from './checkpoints/files.js';
export { batches } from './model/batches.js';
export { readModel } from './model/file.js';
export { forwardInTurns } from './model/forward-in-turns.js';
export { inspect } from './model/inspect.js';
export { traceModel, traceModelInTurns } from './model/model-trace.js';
export { train } from './model/train.js';
export { chain } from './trace/chain.js';
export { examples } from './trace/example.js';
export { explain } from './trace/explain.js';
export { sentence } from './trace/sentence.js';
export { traceExample } from './trace/trace-example.js';
export * from './types.js';
