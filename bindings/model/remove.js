// Steps that a model may do without: what breaks then is a lesson of its own.

import { checkWord, show } from '../errors.js';

/** @typedef {import('../tape.js').Tape} Tape */
/** @typedef {import('../tensor.js').Tensor} Tensor */
/** @typedef {import('./config.js').Removal} Removal */

/** Which nodes belong to a step, and the operand that they then copy.
 * @type {Record<Removal, { is: (node: Tensor) => boolean, operand: number }>} */
const REMOVALS = {
  scale: { is: ({ name }) => name.endsWith('.scores.scaled'), operand: 0 },
  norm: { is: ({ op }) => op === 'layer_norm' || op === 'rms_norm', operand: 0 },
  /* What the sublayer made, without what entered it. */
  residual: { is: ({ name }) => /\.residual\d$/.test(name), operand: 1 },
};

/** @param {string} where @param {unknown} remove */
export function checkRemovals(where, remove) {
  if (!Array.isArray(remove)) {
    throw new TypeError(`${where}: expected an array, received ${show(remove)}`);
  }
  for (const [i, name] of remove.entries()) {
    checkWord(`${where}[${i}]`, name, Object.keys(REMOVALS));
  }
}

/** @param {Tape} tape planned @param {readonly Removal[]} remove */
export function leaveOut(tape, remove) {
  for (const name of remove) {
    const { is, operand } = REMOVALS[name];
    for (const node of tape.nodes) if (is(node)) tape.bypass(node, operand);
  }
}
