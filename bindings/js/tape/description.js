// What a node is: the core's gf_description, in words.

import {
  DESCRIPTION_AXES,
  DESCRIPTION_BYTES,
  DESCRIPTION_HEADS,
  DESCRIPTION_LAYER,
  DESCRIPTION_PARAMETER,
  DESCRIPTION_PART,
  DESCRIPTION_REMOVAL,
  DESCRIPTION_ROLE,
  DESCRIPTION_SEQUENCES,
  DESCRIPTION_STACK,
  DESCRIPTION_SUBSTITUTE,
} from '../../generated/layout.js';
import { checkArray, checkInteger, checkOptions, checkWord } from '../base/errors.js';

/** @typedef {import('./block.js').Block} Block */
/** @typedef {import('../runtime/engine.js').Engine} Engine */

/** What a node is in a lesson. A parameter has the role of the step that it makes; the op tells the forms of
 * a role apart: scores are made by matmul, scaled by scale, masked by mask.
 * @typedef {import('../../generated/layout.js').Role} Role */
/** What the numbers along an axis stand for. @typedef {import('../../generated/layout.js').Axis} Axis */
/** Whose tokens; of the only sequence of a model 'target'. @typedef {import('../../generated/layout.js').Sequence} Sequence */
/** Which number of its step a parameter is. @typedef {import('../../generated/layout.js').Parameter} Parameter */
/** @typedef {import('../../generated/layout.js').Stack} Stack */
/** @typedef {import('../../generated/layout.js').Part} Part */

/** A removal that leaves the node out: it then copies that operand, or with null is held at 0.
 * @typedef {object} NodeRemoval
 * @property {import('../../generated/layout.js').RemovalName} name
 * @property {number | null} operand which of its operands it then copies, from 0; null: it is held at 0
 */

/** null where nobody has said it, or where there is none.
 * @typedef {object} Description
 * @property {Role | null} role what it is in a lesson; a parameter has the role of the step that it makes
 * @property {Parameter | null} parameter
 * @property {readonly (Axis | null)[]} axes of each dimension
 * @property {readonly (Sequence | null)[]} sequences of each dimension that is of tokens
 * @property {Stack | null} stack
 * @property {number | null} layer of the stack, from 0
 * @property {Part | null} part of the layer, or of what stands before or behind the stacks
 * @property {number} heads how many it holds, apart or side by side; 0: it is of no heads
 * @property {NodeRemoval | null} removal
 */

/** @param {Block} block @param {number} id @param {number} rank
 * @returns {Description} */
export function descriptionOf({ engine, address, buffer }, id, rank) {
  const start = engine.core.gf_node_description(address, id) >>> 0;
  const bytes = new DataView(buffer, start, DESCRIPTION_BYTES);
  /** @param {string} list @param {number} place
   * @returns {any} */
  const word = (list, place) => engine.words(list)[bytes.getUint8(place)] || null;
  /** @param {string} list @param {number} place */
  const each = (list, place) =>
    Object.freeze(Array.from({ length: rank }, (_, i) => word(list, place + i)));
  const [layer, operand] = [
    bytes.getInt16(DESCRIPTION_LAYER, true),
    bytes.getInt8(DESCRIPTION_SUBSTITUTE),
  ];
  const name = word('removal', DESCRIPTION_REMOVAL);
  return Object.freeze({
    role: word('role', DESCRIPTION_ROLE),
    parameter: word('parameter', DESCRIPTION_PARAMETER),
    axes: each('axis', DESCRIPTION_AXES),
    sequences: each('sequence', DESCRIPTION_SEQUENCES),
    stack: word('stack', DESCRIPTION_STACK),
    layer: layer < 0 ? null : layer,
    part: word('part', DESCRIPTION_PART),
    heads: bytes.getInt32(DESCRIPTION_HEADS, true),
    removal: name && Object.freeze({ name, operand: operand < 0 ? null : operand }),
  });
}

/** A gf_description of what is given: the rest is 0, and stays as it is.
 * @param {Engine} engine @param {Partial<Description>} description @param {number} rank
 * @returns {Uint8Array} */
export function describing(engine, description, rank) {
  const where = 'describe';
  checkOptions(where, description, [
    ...['role', 'parameter', 'axes', 'sequences', 'stack', 'layer', 'part', 'heads', 'removal'],
  ]);
  const bytes = new DataView(new ArrayBuffer(DESCRIPTION_BYTES));
  /** @param {string} place @param {string} list @param {unknown} word @param {number} offset */
  const must = (place, list, word, offset) => {
    const words = engine.words(list);
    checkWord(`${where}: ${place}`, word, words.slice(1));
    bytes.setUint8(offset, words.indexOf(/** @type {string} */ (word)));
  };
  /** @param {string} place @param {string} list @param {unknown} word @param {number} offset */
  const put = (place, list, word, offset) => {
    if (word !== undefined && word !== null) must(place, list, word, offset);
  };
  /** @param {'axes' | 'sequences'} field @param {string} list @param {number} offset */
  const each = (field, list, offset) => {
    const words = description[field] ?? [];
    checkArray(`${where}: ${field}`, words);
    checkInteger(`${where}: ${field}: length`, words.length, 0, rank);
    for (const [i, word] of words.entries()) put(`${field}[${i}]`, list, word, offset + i);
  };
  const { layer = null, heads = 0, removal = null } = description;
  put('role', 'role', description.role, DESCRIPTION_ROLE);
  put('parameter', 'parameter', description.parameter, DESCRIPTION_PARAMETER);
  put('stack', 'stack', description.stack, DESCRIPTION_STACK);
  put('part', 'part', description.part, DESCRIPTION_PART);
  each('axes', 'axis', DESCRIPTION_AXES);
  each('sequences', 'sequence', DESCRIPTION_SEQUENCES);
  if (layer !== null) checkInteger(`${where}: layer`, layer, 0, 2 ** 15 - 1);
  bytes.setInt16(DESCRIPTION_LAYER, layer ?? -1, true);
  checkInteger(`${where}: heads`, heads, 0, 2 ** 31 - 1);
  bytes.setInt32(DESCRIPTION_HEADS, heads, true);
  if (removal !== null) {
    checkOptions(`${where}: removal`, removal, ['name', 'operand']);
    must('removal: name', 'removal', removal.name, DESCRIPTION_REMOVAL);
    const { operand = null } = removal;
    if (operand !== null) checkInteger(`${where}: removal: operand`, operand, 0, 5);
    bytes.setInt8(DESCRIPTION_SUBSTITUTE, operand ?? -1);
  }
  return new Uint8Array(bytes.buffer);
}
