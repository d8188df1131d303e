// The door to what only those need who write a number, or put steps in order.
export { readNumber } from '../../bindings/exercises/marking/number.js';
export { firstTooEarly, neededFor } from '../../bindings/lessons/sequence.js';
export { isShare } from '../../bindings/lessons/share.js';
