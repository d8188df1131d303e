// What lessons take of the exercises: problems that are walked through, and wrong numbers that are told.
export { misconceptions } from '../../bindings/exercises/lists.js';
export { mark } from '../../bindings/exercises/marking/mark.js';
export { exercise } from '../../bindings/exercises/problem/problem.js';
export { traceProblem } from '../../bindings/exercises/trace.js';
