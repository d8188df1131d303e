// The parts of the exercises that lessons use: problems to walk through, and the marking of wrong numbers.
export { misconceptions } from '../../../bindings/learn/exercises/lists.js';
export { mark } from '../../../bindings/learn/exercises/marking/mark.js';
export { exercise } from '../../../bindings/learn/exercises/problem/problem.js';
export { traceProblem } from '../../../bindings/learn/exercises/trace.js';
