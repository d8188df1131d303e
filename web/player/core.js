// What lessons take from the bindings: how their sentences and conditions read a trace.
export {
  BOXES,
  cellsOf,
  holds,
  NONE,
  numberOf,
  numberText,
  piecesOf,
  rowOf,
  scopeOf,
} from '../../bindings/learn/lessons/play.js';
