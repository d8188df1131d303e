// The door to how a number is read, and a share, which only those need who write one.
export { readNumber } from '../../bindings/exercises/marking/number.js';
export { isShare } from '../../bindings/lessons/share.js';
