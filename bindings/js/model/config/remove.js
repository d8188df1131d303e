// Steps that a model may do without: what breaks then is a lesson of its own.

import { checkArray, checkWord, english, message } from '../../base/errors.js';

/** @typedef {import('../../tape/tape.js').Tape} Tape */
/** @typedef {import('../../tape/tensor.js').Tensor} Tensor */
/** @typedef {import('../../base/message.js').Message} Message */
/** @typedef {import('./config.js').Removal} Removal */

/** Why a model without such steps cannot do without them. The description of a node names the removal that it belongs to,
 * and the operand that it then copies.
 * @type {Record<Removal, Message>} */
const MISSING = {
  positions: message('modelNoPositions', {}),
  mask: message('modelNoMask', {}),
  scale: message('modelNoAttention', {}),
  norm: message('modelNoNorms', {}),
  residual: message('modelNoLayers', {}),
};

/** @param {string} where @param {unknown} remove */
export function checkRemovals(where, remove) {
  checkArray(where, remove);
  for (const [i, name] of remove.entries()) {
    checkWord(`${where}[${i}]`, name, Object.keys(MISSING));
  }
}

/** Whether some of them are steps within an attention, which a fused one does not have.
 * @param {readonly Removal[]} remove */
export const reachInside = (remove) =>
  remove.some((name) => name === 'positions' || name === 'mask' || name === 'scale');

/** @param {Tape} tape planned @param {readonly Removal[]} remove */
export function leaveOut(tape, remove) {
  if (remove.length === 0) return;
  for (const node of tape.nodes) {
    const { removal } = node;
    if (remove.some((name) => name === removal?.name)) tape.bypass(node, removal?.operand);
  }
}

/** Which steps can be removed from a model, and why not the others.
 * @param {readonly Tensor[]} nodes of one of its tapes */
export function removableOf(nodes) {
  const present = new Set(nodes.map(({ removal }) => /** @type {string} */ (removal?.name)));
  return Object.entries(MISSING).map(([name, missing]) => {
    const possible = present.has(name);
    const why = possible ? null : missing;
    return { name: /** @type {Removal} */ (name), possible, reason: why && english(why), why };
  });
}
