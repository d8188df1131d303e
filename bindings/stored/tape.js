// A tape whose parameters may be stored in few bits.

import { checkInteger, checkOptions, codeOf } from '../base/errors.js';
import { problemOf } from '../tape/problem.js';
import { Tape } from '../tape/tape.js';
import { StoredMatrix } from './matrix.js';
import { StoredNumbers } from './numbers.js';
import { OF_CORE, rangeError, typeError } from './texts.js';

/** @typedef {import('../runtime/engine.js').Engine} Engine */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

/** @typedef {import('./numbers.js').StoredWeight} StoredWeight */

/** A flat list of named nodes, whose parameters may be stored. */
export class StoredTape extends Tape {
  #numbers;

  /** @param {Engine} engine */
  constructor(engine) {
    /** @type {Map<string, StoredNumbers>} */
    const numbers = new Map();
    super(engine, {
      check: () => {
        for (const stored of numbers.values()) stored.check();
      },
      clear() {},
      settle() {},
      stored: numbers,
    });
    this.#numbers = numbers;
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
    tensor.stored = new StoredNumbers(this.block, tensor, matrix, along);
    this.#numbers.set(tensor.name, tensor.stored);
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
    const { name, stored } = this.pick('weight', parameter);
    if (!stored) throw rangeError('storedNot', { where: 'weight', name });
    return stored.weight(index);
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
