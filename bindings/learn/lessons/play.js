// What a player of lessons needs, without the form and the linter.

export { cellsOf, holds, numberOf, rowOf } from './expression.js';
export { BOXES, NONE } from './map.js';
export { scopeOf } from './scope.js';
export { numberText, piecesOf } from './sentence.js';
