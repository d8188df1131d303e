// What answers take from the bindings: it reads and judges numbers, and the order of steps.

export { isNear, isSame, TOLERANCE } from '../../bindings/js/number/judge.js';
export { readNumber } from '../../bindings/js/number/read.js';
export { firstTooEarly, neededFor } from '../../bindings/learn/lessons/sequence.js';
export { isShare } from '../../bindings/learn/lessons/share.js';
