// No model of a figure is so large that it would be computed in slices.

/** @typedef {import('../../bindings/tape/tape.js').Tape} Tape */

/** @param {Tape} tape @param {import('../../bindings/tape/tensor.js').Tensor} node */
export function nodeInParts(tape, node) {
  tape.forward(node, node);
  return [];
}

/** @param {Tape} tape @param {string} name @param {Float32Array} gradient */
export function gradientInSlices(tape, name, gradient) {
  tape.backward(name, gradient);
  return [];
}
