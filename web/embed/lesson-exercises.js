// The parts of the exercises that lessons use: problems to walk through, and the marking of wrong numbers.
export { misconceptions } from '../../bindings/exercises/lists.js';
export { mark } from '../../bindings/exercises/marking/mark.js';
export { exercise } from '../../bindings/exercises/problem/problem.js';
export { traceProblem } from '../../bindings/exercises/trace.js';
