// A tape whose parameters may be stored in few bits.

import { checkInteger, checkOptions, codeOf } from '../base/errors.js';
import { problemOf } from '../tape/problem.js';
import { Tape } from '../tape/tape.js';
import { StoredMatrix } from './matrix.js';
import { OF_CORE, rangeError, typeError } from './texts.js';

/** @typedef {import('../runtime/engine.js').Engine} Engine */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** How a stored number is made: value = (d scale) q + m offset, where only the addition rounds.
 * @typedef {object} StoredWeight
 * @property {import('./matrix.js').StoredType} type
 * @property {number} value
 * @property {number} d the scale of its block; of f16 and bf16 the number itself
 * @property {number} scale the factor of d in q4_k, q5_k and q6_k; else 1
 * @property {number} q the integer; 1 of f16 and bf16
 * @property {number} m what is added; 0 where the type has none
 * @property {number} offset the factor of m in q4_k and q5_k; else 1 */

/** A flat list of named nodes, whose parameters may be stored. */
export class StoredTape extends Tape {
  #matrices;

  /** @param {Engine} engine */
  constructor(engine) {
    /** @type {Set<StoredMatrix>} */
    const matrices = new Set();
    super(engine, {
      check: () => {
        for (const matrix of matrices) matrix.check();
      },
      clear() {},
      settle() {},
    });
    this.#matrices = matrices;
  }

  /** Makes a parameter live in a stored matrix: the w [in,out] of linear, whose rows are its columns, as PyTorch's
   * files have it; the table of embed, or the b of matmulTransposed. Nothing else reads it, and it has no gradient.
   * Before plan(); several parameters and tapes may share a matrix.
   * @param {Tensor | string} parameter @param {StoredMatrix} matrix
   * @param {{ along?: number }} [options] along: the dimension of the parameter along which blocks lie, 0 for linear,
   *   1 for the others; by default as the shapes tell, and 0 if both are alike
   * @example
   * import { load } from 'glassformer/models';
   *
   * const core = await load();
   * const tape = core.tape();
   * const x = tape.input('x', [1, 2]);
   * const w = tape.parameter('w', [2, 3]);
   * const y = tape.linear(x, w, null, 'y');
   * const halves = Uint16Array.of(0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600); // 1 to 6
   * tape.bindStored(w, core.stored({ type: 'f16', rows: 3, columns: 2 }).put(halves));
   * tape.plan();
   * x.set([[1, 10]]);
   * tape.forward();
   * y.toArray(); // = [[21, 43, 65]]
   * tape.dispose(); */
  bindStored(parameter, matrix, options = {}) {
    const tensor = this.pick('bindStored', parameter);
    if (!(matrix instanceof StoredMatrix)) {
      throw typeError('storedMatrix', { where: 'bindStored: matrix', given: matrix });
    }
    checkOptions('bindStored', options, ['along']);
    const { rows, columns } = matrix;
    const turned = String(tensor.shape) === String([columns, rows]);
    const along = checkInteger('bindStored: along', options.along ?? Number(!turned), 0, 1);
    const expected = along ? [rows, columns] : [columns, rows];
    if (String(tensor.shape) !== String(expected)) {
      const { name, shape } = tensor;
      throw rangeError('storedShape', { where: 'bindStored', node: name, expected, shape });
    }
    const { at, engine } = this.block;
    const error = engine.core.gf_bind_stored(at, tensor.id, matrix.number, along, matrix.at);
    if (error) this.refuse(codeOf(error), { what: 'bindStored' });
    this.#matrices.add(matrix);
  }

  /** How a number of a stored parameter is made.
   * @param {Tensor | string} parameter @param {[number, number]} index
   * @returns {StoredWeight}
   * @example
   * import { load } from 'glassformer/models';
   *
   * const core = await load();
   * const tape = core.tape();
   * const table = tape.parameter('table', [1, 32]);
   * const block = Uint8Array.from([0, 0x38, 0, 0xc0, ...Array(16).fill(0x7b)]); // q4_1: d = 0.5, m = -2
   * tape.bindStored(table, core.stored({ type: 'q4_1', rows: 1, columns: 32 }).put(block));
   * const { value, q, d, m } = tape.weight(table, [0, 0]);
   * [value, q, d, m]; // = [3.5, 11, 0.5, -2]
   * tape.dispose(); */
  weight(parameter, index) {
    const tensor = this.pick('weight', parameter);
    const { at, engine } = this.block;
    const type = engine.words('type')[engine.core.gf_node_type(at, tensor.id)];
    const [row, column] = index.map((i, axis) =>
      checkInteger(`weight: index[${axis}]`, i, 0, tensor.shape[axis] - 1),
    );
    const told = engine.integers([0, 0, 0, 0, 0, 0]);
    if (engine.core.gf_node_weight(at, tensor.id, row, column, told)) {
      throw rangeError('storedNot', { where: 'weight', name: tensor.name });
    }
    const { buffer } = engine.memory;
    const [value, d, , , m] = new Float32Array(buffer, told, 6);
    const [, , scale, q, , offset] = new Int32Array(buffer, told, 6);
    return { type: /** @type {StoredWeight['type']} */ (type), value, d, scale, q, m, offset };
  }

  /** @protected
   * @override */
  problem() {
    const { at, engine } = this.block;
    const problem = problemOf(engine, at, OF_CORE);
    if ('type' in problem.params) {
      problem.params.type = engine.words('type')[Number(problem.params.type)];
    }
    return problem;
  }
}
