// The door to what only those need who write a number, or put steps in order.

export { firstTooEarly, neededFor } from '../../bindings/lessons/sequence.js';
export { isShare } from '../../bindings/lessons/share.js';
export { isNear, isSame, TOLERANCE } from '../../bindings/number/judge.js';
export { readNumber } from '../../bindings/number/read.js';
