// The entry for experiments on a running model: functions of a model and of what it reads.

export { ablate, patch } from './ablate.js';
export { logitAttribution } from './attribution.js';
export { circuits } from './circuits.js';
export { logitLens } from './lens.js';
export { rollout } from './rollout.js';
export { headScores } from './scores.js';
export { why } from './why.js';
