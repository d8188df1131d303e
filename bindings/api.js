// What every entry exports besides load.

export { GlassformerError } from './base/errors.js';
export { exportModel, importModel } from './checkpoints/files.js';
export { readModel } from './model/file.js';
export { batches } from './model/inputs/batches.js';
export { inspect } from './model/inspect.js';
export { chain } from './trace/chain.js';
export { examples } from './trace/example.js';
export { explain } from './trace/explain.js';
export { sentence } from './trace/sentence.js';
export { traceExample } from './trace/trace-example.js';
export * from './types.js';
