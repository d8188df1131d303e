// What the page measures in the vectors of the translator's words.
export {
  contexts,
  labelShares,
  neighbours,
  symmetry,
} from '../../../bindings/lab/inside/index.js';
export { kindExamples, senseExamples, untrained } from '../../../bindings/lab/tasks/index.js';
