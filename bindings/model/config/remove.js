// Steps that a model may do without: what breaks then is a lesson of its own.

import { checkArray, checkWord, english, message } from '../../base/errors.js';

/** @typedef {import('../../tape/tape.js').Tape} Tape */
/** @typedef {import('../../tape/tensor.js').Tensor} Tensor */
/** @typedef {import('../../base/message.js').Message} Message */
/** @typedef {import('./config.js').Removal} Removal */

/** Which nodes belong to a step, the operand that they then copy, and what is said where there are none.
 * @type {Record<Removal, { is: (node: Tensor) => boolean, operand: number, missing: Message }>} */
const REMOVALS = {
  positions: {
    is: ({ name, op }) => /^(en|de)coder\.input$/.test(name) || op === 'rope' || op === 'alibi',
    operand: 0,
    missing: message('modelNoPositions', {}),
  },
  mask: {
    is: ({ op, attributes }) => op === 'mask' && attributes.causal === 1,
    operand: 0,
    missing: message('modelNoMask', {}),
  },
  scale: {
    is: ({ name }) => name.endsWith('.scores.scaled'),
    operand: 0,
    missing: message('modelNoAttention', {}),
  },
  norm: {
    is: ({ op }) => op === 'layer_norm' || op === 'rms_norm',
    operand: 0,
    missing: message('modelNoNorms', {}),
  },
  /* What the sublayer made, without what entered it. */
  residual: {
    is: ({ name }) => /\.residual\d$/.test(name),
    operand: 1,
    missing: message('modelNoLayers', {}),
  },
};

/** @param {string} where @param {unknown} remove */
export function checkRemovals(where, remove) {
  checkArray(where, remove);
  for (const [i, name] of remove.entries()) {
    checkWord(`${where}[${i}]`, name, Object.keys(REMOVALS));
  }
}

/** Whether some of them are steps within an attention, which a fused one does not have.
 * @param {readonly Removal[]} remove */
export const reachInside = (remove) =>
  remove.some((name) => name === 'positions' || name === 'mask' || name === 'scale');

/** @param {Tape} tape planned @param {readonly Removal[]} remove */
export function leaveOut(tape, remove) {
  for (const name of remove) {
    const { is, operand } = REMOVALS[name];
    for (const node of tape.nodes) if (is(node)) tape.bypass(node, operand);
  }
}

/** What a model can lose, and why not the rest.
 * @param {readonly Tensor[]} nodes of one of its tapes */
export const removableOf = (nodes) =>
  Object.entries(REMOVALS).map(([name, { is, missing }]) => {
    const possible = nodes.some(is);
    const why = possible ? null : missing;
    return { name: /** @type {Removal} */ (name), possible, reason: why && english(why), why };
  });
