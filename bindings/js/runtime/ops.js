// The core's op table, as ops.def has it: what each op takes, and what its nodes are built with.

import {
  ATTRIBUTE_BYTES,
  ATTRIBUTE_LOW,
  ATTRIBUTE_WORDS,
  MAX_INPUTS,
  OP_ATTRIBUTES,
  OP_BYTES,
  OP_OPERANDS,
  OPERAND_BYTES,
  TAKES_NONE,
} from '../../generated/layout.js';

/** @typedef {import('./engine.js').Engine} Engine */

/** An operand; an optional one may be left out. @typedef {{ name: string, optional: boolean }} Operand */

/** @typedef {object} Attribute
 * @property {string} name
 * @property {typeof KINDS[number]} kind
 * @property {number} low @property {number} high its range
 * @property {string[]} words of a word: what 0, 1, ... stand for */

/** @typedef {object} Op
 * @property {number} id
 * @property {Operand[]} operands
 * @property {Attribute[]} attributes
 * @property {(attributes: Readonly<Record<string, number>>) => string} formula of a node with these attributes */

const KINDS = /** @type {const} */ (['flag', 'integer', 'real', 'word', 'axes']);

/** Words before the operands of a gf_op, and before its attributes. */
const [OPERANDS, ATTRIBUTES] = [OP_OPERANDS / 4, OP_ATTRIBUTES / 4];
/** Words of a gf_operand. */
const EACH = OPERAND_BYTES / 4;
/** Words of a gf_attribute's values. */
const MAX_WORDS = (ATTRIBUTE_BYTES - ATTRIBUTE_WORDS) / 4;

/** Addresses up to the first that is none.
 * @param {Int32Array} addresses */
function some(addresses) {
  const end = addresses.indexOf(0);
  return [...addresses.subarray(0, end < 0 ? undefined : end)];
}

/** @param {Engine} engine @param {number} address
 * @returns {Attribute} */
function attributeAt(engine, address) {
  const { buffer } = engine.memory;
  const [name, kind] = new Int32Array(buffer, address, 2);
  const [low, high] = new Float32Array(buffer, address + ATTRIBUTE_LOW, 2);
  const words = new Int32Array(buffer, address + ATTRIBUTE_WORDS, MAX_WORDS);
  return {
    name: engine.text(name),
    kind: KINDS[kind],
    low,
    high,
    words: some(words).map((word) => engine.text(word)),
  };
}

/** @param {Engine} engine @param {number} id @param {number} address
 * @returns {[string, Op]} */
function opAt(engine, id, address) {
  const row = new Int32Array(engine.memory.buffer, address, OP_BYTES / 4);
  const [name, formula, chooses, other] = [...row.subarray(0, OPERANDS)].map((text) =>
    text ? engine.text(text) : '',
  );
  const operands = Array.from({ length: MAX_INPUTS }, (_, k) => row.subarray(OPERANDS + EACH * k));
  return [
    name,
    {
      id,
      operands: operands
        .filter(([label]) => label)
        .map(([label, takes]) => ({
          name: engine.text(label),
          optional: (takes & TAKES_NONE) !== 0,
        })),
      attributes: some(row.subarray(ATTRIBUTES)).map((one) => attributeAt(engine, one)),
      formula: (attributes) => (attributes[chooses] ? other : formula),
    },
  ];
}

/** The table, by the ops' names.
 * @param {Engine} engine
 * @returns {ReadonlyMap<string, Op>} */
export function opTable(engine) {
  const table = new Map();
  let address = engine.core.gf_op_at(0) >>> 0;
  while (address) {
    table.set(...opAt(engine, table.size, address));
    address = engine.core.gf_op_at(table.size) >>> 0;
  }
  return table;
}
