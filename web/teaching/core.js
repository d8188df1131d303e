// The lessons' door to the bindings: how a lesson is read, what its sentences and conditions say of a trace.
export {
  cellsOf,
  holds,
  numberOf,
  numberText,
  piecesOf,
  rowOf,
  scopeOf,
} from '../../bindings/lessons/play.js';
