// What a picture of training takes from the bindings: Pocket, learned from random weights.
export { evaluate, learn } from '../../bindings/lab/pocket/index.js';
