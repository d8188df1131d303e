// The door to how a number is read, which only those need who write one.
export { readNumber } from '../../bindings/exercises/marking/number.js';
export { isShare } from '../../bindings/lessons/share.js';
