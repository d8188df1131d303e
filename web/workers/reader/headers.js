// The reader's door to what reads a model's header: it needs no core.
export { checkpointOf, headerOf, warningsOf } from '../../../bindings/models/checkpoints/open.js';
