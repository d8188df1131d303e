/// <reference path="../../disposable.d.ts" preserve="true" />
// A tape: named nodes, which ops.js makes, and the runs.

import { LAST, NONE } from '../../generated/layout.js';
import {
  checkBoolean,
  checkInt32,
  checkOptions,
  failure,
  rangeError,
  typeError,
} from '../base/errors.js';
import { onForgotten } from '../base/forgotten.js';
import { flatten } from '../base/values.js';
import { describing } from './description.js';
import { Ops } from './ops.js';
import { checkComputed, gradientOf, valuesOf } from './tensor.js';

/** @typedef {import('./block.js').Block} Block */
/** @typedef {import('../runtime/engine.js').Engine} Engine */
/** @typedef {import('./tensor.js').Tensor} Tensor */
/** @typedef {import('../stored/matrix.js').StoredMatrix} StoredMatrix */
/** @typedef {import('../stored/numbers.js').StoredWeight} StoredWeight */
/** @typedef {import('../base/values.js').Data} Data */
/** @typedef {import('../base/values.js').Values} Values */

/**
 * @typedef {object} PlanOptions
 * @property {boolean} [reuse] for inference: no gradients, and values share memory. Leaves, caches and
 *   results can be read, any other node only if it is kept
 * @property {(Tensor | string)[]} [keep] nodes whose values stay
 */

/** Frees tapes that were not disposed of: late, or never. */
const forgotten = onForgotten((/** @type {Block['place']} */ place) => place.free());

/** A flat list of named nodes: build, plan, fill the leaves, run. */
export class Tape extends Ops {
  /** @param {Engine} engine @param {import('./block.js').Lender} [lender] whose memory leaves are bound to */
  constructor(engine, lender) {
    super(engine, lender);
    forgotten.register(this, this.block.place, this);
  }

  /** Describes what a node is, for those who read it; fields that are left out stay as they are. Ops carry over what
   * follows from their operands: describe leaves before they are read.
   * @param {Tensor | string} node @param {Partial<import('./description.js').Description>} description
   * @example
   * const tape = gf.tape();
   * const w = tape.parameter('w', [4, 6]);
   * tape.describe(w, { role: 'query', parameter: 'weight', axes: ['channel', 'channel'], heads: 2 });
   * tape.linear(tape.input('x', [3, 4]), w, null, 'q').role; // = 'query' */
  describe(node, description) {
    const { engine } = this.block;
    const tensor = this.pick('describe', node);
    const bytes = describing(engine, description, tensor.shape.length);
    this.check(engine.core.gf_describe(this.block.address, tensor.id, engine.bytes(bytes)));
  }

  // ---- Stored parameters ----

  /** Makes a parameter live in a stored matrix: the w [in,out] of linear, whose rows are its columns, as PyTorch's
   * files have it; the table of embed, or the b of matmulTransposed. Nothing else reads it, and it has no gradient.
   * Before plan(); several parameters and tapes may share a matrix.
   * @param {Tensor | string} parameter @param {StoredMatrix} matrix what stored() of glassformer/models gives
   * @param {{ along?: number, arithmetic?: import('../stored/matrix.js').Arithmetic }} [options] along: the dimension of
   *   the parameter along which blocks lie, 0 for linear, 1 for the others; by default as the shapes show, and 0 if both
   *   are alike. arithmetic: of its products, exact by default
   * @example
   * import { load } from 'glassformer/models';
   *
   * const gf = await load();
   * const tape = gf.tape();
   * const x = tape.input('x', [1, 2]);
   * const w = tape.parameter('w', [2, 3]);
   * const y = tape.linear(x, w, null, 'y');
   * const halves = Uint16Array.of(0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600); // 1 to 6
   * tape.bindStored(w, gf.stored({ type: 'f16', rows: 3, columns: 2 }).put(halves));
   * tape.plan();
   * x.set([[1, 10]]);
   * tape.forward();
   * y.toArray(); // = [[21, 43, 65]]
   * tape.dispose(); */
  bindStored(parameter, matrix, options = {}) {
    const tensor = this.pick('bindStored', parameter);
    /* instanceof would add the class to every bundle with tapes. */
    if (typeof matrix?.numbersOf !== 'function') {
      throw typeError('storedMatrix', { where: 'bindStored: matrix', given: matrix });
    }
    const numbers = matrix.numbersOf(this.block, tensor, options);
    const { address, engine, lender } = this.block;
    const place = /** @type {const} */ ([matrix.number, numbers.along, matrix.at]);
    this.check(engine.core.gf_bind_stored(address, tensor.id, ...place), { what: 'bindStored' });
    engine.core.gf_use_integers(address, tensor.id, Number(numbers.arithmetic === 'integer'));
    tensor.stored = numbers;
    lender.stored?.set(tensor.name, numbers);
  }

  /** How a number of a stored parameter is made.
   * @param {Tensor | string} parameter @param {[number, number]} index
   * @returns {StoredWeight}
   * @example
   * import { load } from 'glassformer/models';
   *
   * const gf = await load();
   * const tape = gf.tape();
   * const table = tape.parameter('table', [1, 32]);
   * const block = Uint8Array.from([0, 0x38, 0, 0xc0, ...Array(16).fill(0x7b)]); // q4_1: d = 0.5, m = -2
   * tape.bindStored(table, gf.stored({ type: 'q4_1', rows: 1, columns: 32 }).put(block));
   * const { value, q, d, m } = tape.weight(table, [0, 0]);
   * [value, q, d, m]; // = [3.5, 11, 0.5, -2]
   * tape.dispose(); */
  weight(parameter, index) {
    const { name, stored } = this.pick('weight', parameter);
    if (!stored) throw rangeError('storedNot', { where: 'weight', name });
    return stored.weight(index);
  }

  // ---- Plan and run ----

  /** Places every value and gradient, all zero; the tape is then closed to new nodes.
   * @param {PlanOptions} [options] */
  plan(options = {}) {
    checkOptions('plan', options, ['reuse', 'keep']);
    const { reuse = false, keep = [] } = options;
    checkBoolean('plan: reuse', reuse);
    if (!Array.isArray(keep)) throw typeError('nodes', { where: 'plan: keep', given: keep });
    const { core } = this.block.engine;
    const { address } = this.block;
    if (this.block.planned) {
      throw failure('GF_ESTATE', 'planned', { where: 'plan' });
    }
    const kept = keep.map((node, i) => this.pick(`plan: keep[${i}]`, node).id);
    for (const id of kept) core.gf_keep(address, id);
    const plan = reuse ? 'gf_plan_reuse' : 'gf_plan';
    const bytes = core[plan](address, 0) >>> 0;
    if (!bytes) this.refuse(core.gf_tape_count(address) ? 'GF_EMEMORY' : 'GF_ESTATE');
    this.block.plan(plan, bytes);
    for (const [id, number] of this.block.numbers) valuesOf(this.nodes[id])[0] = number;
  }

  /** Computes the nodes from the first to the last in order; by default all of them.
   * @param {Tensor | string} [first] @param {Tensor | string} [last] */
  forward(first, last) {
    this.check(
      this.block.engine.core.gf_forward(
        this.block.address,
        first === undefined ? 0 : this.pick('forward', first).id,
        last === undefined ? LAST : this.pick('forward', last).id,
      ),
    );
  }

  /** Tells a tape whose plan reuses memory that parameters have changed since it last ran. */
  refresh() {
    this.block.engine.core.gf_refresh(this.block.address);
  }

  /** Sets every gradient to zero. */
  zeroGrad() {
    this.block.engine.core.gf_zero_grad(this.block.address);
    this.block.derived = this.block.planned;
  }

  /** Gradients of the target with respect to every node before it, and to the parameters of the model:
   * zeroes them all, seeds the target's, carries it down.
   * @param {Tensor | string} target
   * @param {Values} [gradient] of the target's shape; 1 by default if the target is one cell */
  backward(target, gradient) {
    const { tensor, numbers } = this.#seed(target, gradient);
    const { block } = this;
    block.lender.clear();
    this.zeroGrad();
    block.derived = false;
    /** @type {Float32Array} */ (gradientOf(tensor)).set(numbers);
    this.check(block.engine.core.gf_backward(block.address, 0, tensor.id));
    block.derived = true;
    block.lender.settle();
  }

  /** @param {Tensor | string} target @param {Values | undefined} gradient
   * @returns {{ tensor: Tensor, numbers: Data }} */
  #seed(target, gradient) {
    const tensor = this.pick('backward', target);
    if (tensor.kind === 'ids') {
      throw typeError('idsNoGradient', { where: 'backward', name: tensor.name });
    }
    checkComputed(tensor);
    if (!gradientOf(tensor)) {
      const detail = tensor.kind === 'op' ? 'noGradients' : 'noGradientOfLeaf';
      throw failure('GF_ESTATE', detail, { where: 'backward', name: tensor.name });
    }
    if (gradient === undefined && tensor.size !== 1) {
      const { name, shape } = tensor;
      throw typeError('gradientDue', { where: 'backward', name, shape });
    }
    const values = gradient === undefined ? Float32Array.of(1) : gradient;
    return { tensor, numbers: flatten('backward: gradient', values, tensor.shape, Float32Array) };
  }

  // ---- Experiments ----

  /** Makes a node copy its operand k instead of computing; null puts it back.
   * @param {Tensor | string} node @param {number | null} [k] */
  bypass(node, k = 0) {
    const { core } = this.block.engine;
    const operand = k === null ? NONE : checkInt32('bypass: k', k);
    if (k !== null && operand < 0) {
      throw rangeError('operandNumber', { where: 'bypass: k', given: k });
    }
    const { id } = this.pick('bypass', node);
    this.check(core.gf_bypass(this.block.address, id, operand), { argument: operand });
  }

  /** Keeps the values that you write into a node; on = false lets it compute again.
   * @param {Tensor | string} node @param {boolean} [on] */
  freeze(node, on = true) {
    checkBoolean('freeze: on', on);
    const { core } = this.block.engine;
    this.check(core.gf_freeze(this.block.address, this.pick('freeze', node).id, Number(on)));
  }

  /** Gives the memory back. The tape and its tensors are of no use afterwards. */
  dispose() {
    forgotten.unregister(this);
    this.block.free();
  }

  [Symbol.dispose]() {
    this.dispose();
  }
}
