// What the trainer of a lesson takes of the core. A lesson trains on one task alone.
import { copy } from '../../bindings/tasks/letters.js';

export { load, readModel } from '../../bindings/index.js';
export { train } from '../../bindings/model/train.js';
export { heldOut } from '../../bindings/tasks/held-out.js';
export {
  answerTokens,
  idsOf,
  taskBatches,
  testBatch,
  trained,
} from '../../bindings/tasks/solver.js';
export { START } from '../../bindings/tasks/vocabulary.js';
export const tasks = { copy };
/** No step is taken apart. */
export const inspect = () => {};
