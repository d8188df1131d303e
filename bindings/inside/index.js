// The entry for experiments on a running model: functions of a model and of what it reads.

export { ablate, patch } from './ablate.js';
export { logitAttribution } from './attribution.js';
export { logitLens } from './lens.js';
export { why } from './why.js';
