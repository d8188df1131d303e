// A matrix of parameters in the core's memory as a file stores it: rows of blocks.

import { checkInteger, checkOptions, checkWord, isDetached } from '../base/errors.js';
import { onForgotten } from '../base/forgotten.js';
import { INT32 } from '../base/values.js';
import { StoredNumbers } from './numbers.js';
import { failure, rangeError, typeError } from './texts.js';

/** @typedef {import('../runtime/engine.js').Engine} Engine */

/** How a matrix is stored: the types of GGUF, in small letters.
 * @typedef {typeof TYPES[number]} StoredType */

/** How products with a stored matrix are computed: `exact`, as with the float32 matrix of the same numbers, bit for bit;
 * or `integer`, faster, by sums of integers, with one set of bits, too: see gf_use_integers in src/glassformer.h.
 * @typedef {typeof ARITHMETICS[number]} Arithmetic */
export const ARITHMETICS = /** @type {const} */ (['exact', 'integer']);

/** From GF_F16 on. */
const TYPES = /** @type {const} */ ([
  'f16',
  'bf16',
  'q4_0',
  'q4_1',
  'q5_0',
  'q5_1',
  'q8_0',
  'q4_k',
  'q5_k',
  'q6_k',
]);
const FIRST_TYPE = 2;
/** The longest block. */
const MAX_BLOCK = 256;
/** Rows go through a buffer of so many bytes, or one by one if they are longer. */
const BUFFER_BYTES = 65536;

/** @param {unknown} bytes
 * @returns {bytes is ArrayBuffer | ArrayBufferView} */
const isBytes = (bytes) => bytes instanceof ArrayBuffer || ArrayBuffer.isView(bytes);

/** Frees matrices that were not disposed of. */
const forgotten = onForgotten(
  (/** @type {{ engine: Engine, address: number }} */ { engine, address }) =>
    engine.heap.free(address),
);

/** Rows of numbers of few bits. Put the rows of a file, then bind parameters of any tapes to them. */
export class StoredMatrix {
  #engine;
  #address;
  #row;
  #next = 0;

  /** @param {Engine} engine @param {{ type: StoredType, rows: number, columns: number }} options */
  constructor(engine, options) {
    const where = 'stored';
    checkOptions(where, options, ['type', 'rows', 'columns']);
    const { type, rows, columns } = options;
    const { core } = engine;
    const number = FIRST_TYPE + checkWord(`${where}: type`, type, TYPES);
    checkInteger(`${where}: rows`, rows, 1, INT32);
    checkInteger(`${where}: columns`, columns, 1, INT32);
    const block =
      [1, 32, MAX_BLOCK].find((size) => core.gf_stored_bytes(number, 1, size)) ?? MAX_BLOCK;
    if (columns % block) {
      throw rangeError('storedBlocks', { where: `${where}: columns`, type, block, columns });
    }
    const bytes = core.gf_stored_bytes(number, rows, columns) >>> 0;
    if (!bytes) throw failure('GF_EMEMORY', 'storedTooLarge', { where, rows, columns });
    this.#engine = engine;
    /* Behind it is memory for a row in float32: reading numbers must not make the memory grow. */
    this.#address = engine.heap.alloc(bytes + columns * Float32Array.BYTES_PER_ELEMENT);
    this.#row = (core.gf_stored_bytes(number, 8, block) / 8) * (columns / block);
    /** How its numbers are stored. */
    this.type = type;
    /** How many rows it has. */
    this.rows = rows;
    /** How many numbers a row has: a multiple of `block`. */
    this.columns = columns;
    /** How many numbers share a scale; of some types parts of them have factors of their own. */
    this.block = block;
    /** What it takes in memory. */
    this.bytes = bytes;
    forgotten.register(this, { engine, address: this.#address }, this);
  }

  /** Its numbers as those of a parameter: see bindStored of a tape.
   * @param {ConstructorParameters<typeof StoredNumbers>[0]} block the tape's
   * @param {import('../tape/tensor.js').Tensor} parameter
   * @param {{ along?: number, arithmetic?: Arithmetic }} options */
  numbersOf(block, parameter, options) {
    checkOptions('bindStored', options, ['along', 'arithmetic']);
    const { rows, columns } = this;
    const { name, shape } = parameter;
    const transposed = String(shape) === String([columns, rows]);
    const { along = Number(!transposed) } = options;
    checkInteger('bindStored: along', along, 0, 1);
    const expected = along ? [rows, columns] : [columns, rows];
    if (String(shape) !== String(expected)) {
      throw rangeError('storedShape', { where: 'bindStored', node: name, expected, shape });
    }
    const { arithmetic = 'exact' } = options;
    checkWord('bindStored: arithmetic', arithmetic, ARITHMETICS);
    if (arithmetic === 'integer' && !this.hasIntegers) {
      throw rangeError('storedFloats', { where: 'bindStored: arithmetic', type: this.type });
    }
    return new StoredNumbers(block, parameter, this, along, arithmetic);
  }

  /** Whether its numbers are integers with a scale, which products in integers need. */
  get hasIntegers() {
    return this.block > 1;
  }

  /** The core's number of the type. */
  get number() {
    return FIRST_TYPE + TYPES.indexOf(this.type);
  }

  /** The address of the matrix. */
  get at() {
    this.check();
    return this.#address;
  }

  /** The address of memory for a row in float32. */
  get line() {
    return this.at + this.bytes;
  }

  /** Puts whole rows as a file has them, block behind block: those behind the last that were put, or from row
   * `first` on. Returns the matrix.
   * @param {ArrayBuffer | ArrayBufferView} bytes @param {number} [first] */
  put(bytes, first = this.#next) {
    const where = 'put: bytes';
    if (!isBytes(bytes) || isDetached(bytes))
      throw typeError('storedBytes', { where, given: bytes });
    checkInteger('put: first', first, 0, this.rows);
    this.check();
    const from = ArrayBuffer.isView(bytes)
      ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      : new Uint8Array(bytes);
    const row = this.#row;
    const count = from.length / row;
    if (count % 1) throw rangeError('storedRows', { where, row, n: from.length });
    if (first + count > this.rows) {
      throw rangeError('storedRowsLeft', { where, rows: this.rows, count, first });
    }
    this.#copy(from, first, Math.max(1, Math.floor(BUFFER_BYTES / row)));
    this.#next = first + count;
    return this;
  }

  /** @param {Uint8Array} from @param {number} first @param {number} most rows at a time */
  #copy(from, first, most) {
    const { core, heap, memory } = this.#engine;
    const row = this.#row;
    const buffer = heap.alloc(most * row);
    for (let offset = 0; offset < from.length; offset += most * row) {
      const part = from.subarray(offset, offset + most * row);
      new Uint8Array(memory.buffer, buffer).set(part);
      const rows = /** @type {const} */ ([first + offset / row, part.length / row]);
      core.gf_store(this.#address, this.number, this.rows, this.columns, ...rows, buffer);
    }
    heap.free(buffer);
  }

  check() {
    if (!this.#address) throw failure('GF_EDISPOSED', 'storedDisposed', {});
  }

  /** Gives the memory back. Tapes that are bound to it are of no use afterwards. */
  dispose() {
    if (!this.#address) return;
    forgotten.unregister(this);
    this.#engine.heap.free(this.#address);
    this.#address = 0;
  }

  [Symbol.dispose]() {
    this.dispose();
  }
}
