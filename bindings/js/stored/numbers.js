// The numbers of a parameter that is stored in few bits: each is made when it is read, from its block.

import { flatIndex } from '../base/cell.js';
import { cellIndex, sizeOf } from '../base/values.js';
import { failure } from './texts.js';

/** @typedef {import('../tape/block.js').Block} Block */
/** @typedef {import('./matrix.js').StoredMatrix} StoredMatrix */

/** How a stored number is made: value = (d scale) q + m offset, where only the addition rounds.
 * @typedef {object} StoredWeight
 * @property {import('./matrix.js').StoredType} type
 * @property {number} value
 * @property {number} d the scale of its block; of f16 and bf16 the number itself
 * @property {number} scale the factor of d in q4_k, q5_k and q6_k; else 1
 * @property {number} q the integer; 1 of f16 and bf16
 * @property {number} m what is added; 0 where the type has none
 * @property {number} offset the factor of m in q4_k and q5_k; else 1 */

export class StoredNumbers {
  #block;
  #id;
  #matrix;

  /** @param {Block} block of the tape whose leaf is bound to the matrix
   * @param {{ id: number, shape: readonly number[] }} leaf @param {StoredMatrix} matrix @param {number} along
   * @param {import('./matrix.js').Arithmetic} arithmetic */
  constructor(block, { id, shape }, matrix, along, arithmetic) {
    this.#block = block;
    this.#id = id;
    this.#matrix = matrix;
    /** How they are stored. */
    this.type = matrix.type;
    this.shape = shape;
    this.size = sizeOf(shape);
    /** The dimension along which blocks lie. */
    this.along = along;
    /** How products with them are computed. */
    this.arithmetic = arithmetic;
    /** How many numbers a block has. */
    this.block = matrix.block;
  }

  check() {
    this.#matrix.check();
  }

  /** The step of their leaf, whose numbers are made with each reading.
   * @param {import('../trace/steps.js').Step} step
   * @returns {import('../trace/steps.js').Step} */
  tell(step) {
    return Object.defineProperty({ ...step, stored: this }, 'data', { get: () => this.data });
  }

  /** Says that there is no view of them.
   * @param {string} where */
  refuse(where) {
    throw failure('GF_ESTATE', 'inFewBits', { where, node: where });
  }

  /** How one of them is made.
   * @param {readonly number[]} index in the parameter's shape
   * @returns {StoredWeight} */
  weight(index) {
    flatIndex('weight: index', this.shape, index);
    const address = this.#addressOf(index[0], index[1]);
    const { buffer } = this.#block;
    const [value, d, , , m] = new Float32Array(buffer, address, 6);
    const [, , scale, q, , offset] = new Int32Array(buffer, address, 6);
    return { type: this.type, value, d, scale, q, m, offset };
  }

  /** One of them, by its place among all.
   * @param {number} place */
  at(place) {
    const [row, column] = cellIndex(this.shape, place);
    return new Float32Array(this.#block.buffer, this.#addressOf(row, column), 1)[0];
  }

  /** All of them in float32, a copy.
   * @returns {Float32Array} */
  get data() {
    const to = this.#matrix.line;
    const { engine, address, buffer } = this.#block;
    const [rows, columns] = this.shape;
    const [lines, length] = this.along === 0 ? [columns, rows] : [rows, columns];
    const data = new Float32Array(this.size);
    const line = new Float32Array(buffer, to, length);
    for (let i = 0; i < lines; i++) {
      engine.core.gf_node_line(address, this.#id, i, to);
      if (this.along === 1) data.set(line, i * columns);
      else for (let k = 0; k < length; k++) data[k * columns + i] = line[k];
    }
    return data;
  }

  /** The address of how the core makes a number.
   * @param {number} row @param {number} column */
  #addressOf(row, column) {
    this.check();
    const { engine, address } = this.#block;
    const weight = engine.integers([0, 0, 0, 0, 0, 0]);
    engine.core.gf_node_weight(address, this.#id, row, column, weight);
    return weight;
  }
}
