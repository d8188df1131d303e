// The trainer's door to the core; no other file of this folder imports the bindings.
export { batches, inspect, load, readModel, train } from '../../../bindings/index.js';
export { heldOut } from '../../../bindings/lab/tasks/held-out.js';
export {
  answerTokens,
  END,
  idsOf,
  START,
  tasks,
  testBatch,
  trained,
} from '../../../bindings/lab/tasks/index.js';

/** @typedef {import('../../../bindings/index.js').Glassformer} Glassformer */
/** @typedef {import('../../../bindings/index.js').Model} Model */
/** @typedef {import('../../../bindings/index.js').Run} ForwardRun */
/** @typedef {import('../../../bindings/index.js').ModelOptions} ModelOptions */
/** The page's rates follow schedules that it draws.
 * @typedef {Omit<import('../../../bindings/index.js').TrainOptions, 'rate'> & { rate?: number }} TrainOptions */
/** @typedef {import('../../../bindings/index.js').GenerateOptions} GenerateOptions */
/** @typedef {import('../../../bindings/index.js').Inspection} Inspection */
/** @typedef {import('../../../bindings/index.js').TrainStep} TrainStep */
/** @typedef {import('../../../bindings/index.js').Update} Update */
/** @typedef {import('../../../bindings/index.js').Batch} Batch */
/** @typedef {import('../../../bindings/lab/tasks/index.js').Task} Task */
