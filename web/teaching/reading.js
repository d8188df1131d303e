// What answers take from the bindings: it reads and judges numbers, and the order of steps.

export { firstTooEarly, neededFor } from '../../bindings/lessons/sequence.js';
export { isShare } from '../../bindings/lessons/share.js';
export { isNear, isSame, TOLERANCE } from '../../bindings/number/judge.js';
export { readNumber } from '../../bindings/number/read.js';
