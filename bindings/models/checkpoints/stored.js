// A model whose matrices stay as its file stores them.

import { codeOf } from '../../js/base/errors.js';
import { sizeOf } from '../../js/base/values.js';
import { StoredMatrix } from '../../js/stored/matrix.js';
import { StoredNumbers } from '../../js/stored/numbers.js';
import { OpenedModel } from './opened.js';
import { failure } from './texts.js';

/** @typedef {import('../../js/runtime/engine.js').Engine} Engine */
/** @typedef {import('../../js/stored/matrix.js').Arithmetic} Arithmetic */
/** @typedef {import('../../js/stored/matrix.js').StoredType} StoredType */
/** @typedef {import('../../js/tape/tape.js').Tape} Tape */
/** @typedef {import('./variant.js').ModelConfig} ModelConfig */
/** @typedef {import('./file.js').Named} Named */

/** The types of files that the core computes with, by their names there.
 * @type {Record<string, StoredType>} */
const TYPES = {
  F16: 'f16',
  BF16: 'bf16',
  Q4_0: 'q4_0',
  Q4_1: 'q4_1',
  Q5_0: 'q5_0',
  Q5_1: 'q5_1',
  Q8_0: 'q8_0',
  Q4_K: 'q4_k',
  Q5_K: 'q5_k',
  Q6_K: 'q6_k',
};

/** The parameter that can stay as a tensor stores it: a matrix of a linear layer, or the embedding. Null: it cannot.
 * @param {import('./plan.js').Taken<Named>} taken */
function storable({ entry: { ours, shapes, transposed }, tensor: { dtype }, twins }) {
  const isMatrix = ours.length === 1 && shapes[0].length === 2 && !twins.length;
  const fits = transposed || ours[0] === 'embedding.weight';
  return isMatrix && fits && Object.hasOwn(TYPES, dtype) ? ours[0] : null;
}

/** Whether a tensor can be multiplied in integers.
 * @param {import('./plan.js').Taken<Named>} taken */
export const hasIntegers = (taken) =>
  storable(taken) !== null && !['F16', 'BF16'].includes(taken.tensor.dtype);

/** What the weights take in memory, in bytes, if all stay stored that can.
 * @param {readonly import('./plan.js').Taken<Named & { begin: number, end: number }>[]} taken */
export const bytesWhenStored = (taken) =>
  taken.reduce((sum, one) => {
    const { begin, end, shape } = one.tensor;
    return sum + (storable(one) === null ? 4 * sizeOf(shape) : end - begin);
  }, 0);

/** A model that is used as it is: what is stored is neither trained nor saved. */
export class StoredModel extends OpenedModel {
  /** @type {Map<string, StoredMatrix> | undefined} */
  #matrices;

  /** @param {Engine} engine @param {ModelConfig} config
   * @param {readonly import('./plan.js').Taken<Named>[]} taken the tensors of its file
   * @param {Arithmetic} arithmetic */
  constructor(engine, config, taken, arithmetic) {
    /** @type {Map<string, StoredMatrix>} */
    const matrices = new Map();
    /** @param {Tape} layout */
    const store = (layout) => {
      /** @type {Map<string, StoredNumbers>} */
      const numbers = new Map();
      /* The block of the tape is its own, and of no use to others. */
      const { block } = /** @type {{ block: import('../../js/tape/block.js').Block }} */ (
        /** @type {unknown} */ (layout)
      );
      try {
        for (const one of taken) {
          const name = storable(one);
          if (name === null) continue;
          const leaf = layout.find(name);
          const matrix = bound(engine, block.address, leaf, one);
          matrices.set(name, matrix);
          const how = matrix.hasIntegers ? arithmetic : 'exact';
          engine.core.gf_use_integers(block.address, leaf.id, Number(how === 'integer'));
          numbers.set(name, new StoredNumbers(block, leaf, matrix, alongOf(one), how));
        }
        return numbers;
      } catch (error) {
        for (const matrix of matrices.values()) matrix.dispose();
        throw error;
      }
    };
    super(engine, config, store);
    this.#matrices = matrices;
  }

  /** The matrices that are stored, by the names of their parameters.
   * @returns {ReadonlyMap<string, StoredMatrix>} */
  get stored() {
    return this.#matrices ?? new Map();
  }

  /** Gives the memory back. @override */
  dispose() {
    super.dispose();
    for (const matrix of this.stored.values()) matrix.dispose();
  }

  /** @override
   * @returns {never} */
  save() {
    throw failure('GF_ESTATE', 'storedNotSaved', { where: 'save', n: this.stored.size });
  }
}

/** The dimension of a parameter along which the blocks of its tensor lie.
 * @param {import('./plan.js').Taken<Named>} taken */
const alongOf = ({ entry }) => Number(!entry.transposed);

/** Memory for a tensor, and the parameter bound to it.
 * @param {Engine} engine @param {number} tapeAddress the tape's address
 * @param {import('../../js/tape/tensor.js').Tensor} leaf @param {import('./plan.js').Taken<Named>} taken */
function bound(engine, tapeAddress, { id, name }, taken) {
  const { dtype, shape } = taken.tensor;
  const [rows, columns] = shape;
  const matrix = new StoredMatrix(engine, { type: TYPES[dtype], rows, columns });
  const error = engine.core.gf_bind_stored(
    tapeAddress,
    id,
    matrix.number,
    alongOf(taken),
    matrix.at,
  );
  if (!error) return matrix;
  matrix.dispose();
  throw failure(codeOf(error), 'notStored', { where: 'openModel', node: name, name, dtype });
}
