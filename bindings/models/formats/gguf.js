// Reads the header of GGUF, the format of ggml and llama.cpp. Little-endian:
//
//   "GGUF", u32 version, u64 tensors, u64 pairs
//   pairs:   key, u32 type, value        a string is u64 length and UTF-8, an array u32 type, u64 count, values
//   tensors: name, u32 rank, u64 dimensions with the fastest first, u32 type, u64 offset in the data
//   the data, from the next multiple of general.alignment on, in the order of the tensors
//
// https://github.com/ggml-org/ggml/blob/master/docs/gguf.md

import { sizeOf } from '../../js/base/values.js';
import { message, refusing } from '../../js/formats/texts.js';
import { bytesOf, STORED } from './stored.js';

/** @typedef {import('./source.js').Source} Source */
/** @typedef {import('./stored.js').StoredTensor} StoredTensor */
/** @typedef {number | bigint | boolean | string | Numbers | Value[]} Value */
/** @typedef {Uint8Array | Int8Array | Uint16Array | Int16Array | Uint32Array | Int32Array | Float32Array
 *   | Float64Array | BigUint64Array | BigInt64Array} Numbers */
/** @typedef {Map<string, Value>} Metadata */
/** What a header says; pairs are the bytes of its metadata, and how many they are.
 * @typedef {object} Gguf
 * @property {Metadata} metadata
 * @property {Map<string, StoredTensor>} tensors
 * @property {{ count: number, bytes: Uint8Array }} pairs */

/** The first bytes. */
export const MAGIC = 'GGUF';
const VERSION = 3;
/** Version 2 differs in nothing that is read; version 1 has shorter counts. */
const VERSIONS = [2, 3];
const FIRST_READ_BYTES = 2 ** 20;
const MAX_HEADER_BYTES = 100_000_000;
const MAX_RANK = 4;
/** Arrays within arrays. */
const MAX_DEPTH = 4;
/** What a pair and a tensor take at least. */
const MIN_PAIR_BYTES = 8 + 4 + 1;
const MIN_TENSOR_BYTES = 8 + 4 + 8 + 4 + 8;

/** Where the bytes that were read end in the middle of the header. */
const INCOMPLETE = Symbol('more');

/** @type {import('../../js/formats/texts.js').Refuse} */
const refuse = /* @__PURE__ */ refusing('GGUF');

/** Of the data, where a file says nothing. */
const ALIGNMENT = 32;

/** The types of tensors by their numbers; those that are not read are known by name. */
export const TYPES =
  'F32 F16 Q4_0 Q4_1 Q4_2 Q4_3 Q5_0 Q5_1 Q8_0 Q8_1 Q2_K Q3_K Q4_K Q5_K Q6_K Q8_K IQ2_XXS IQ2_XS IQ3_XXS IQ1_S IQ4_NL IQ3_S IQ2_S IQ4_XS I8 I16 I32 I64 F64 IQ1_M BF16'.split(
    ' ',
  );

/** The types of single values by their numbers, without string and array.
 * @type {Record<number, { new (buffer: ArrayBuffer): Numbers, BYTES_PER_ELEMENT: number }>} */
const NUMBERS = {
  0: Uint8Array,
  1: Int8Array,
  2: Uint16Array,
  3: Int16Array,
  4: Uint32Array,
  5: Int32Array,
  6: Float32Array,
  7: Uint8Array,
  10: BigUint64Array,
  11: BigInt64Array,
  12: Float64Array,
};
const BOOL = 7;
const STRING = 8;
const ARRAY = 9;
/** What an element of an array takes at least. */
const MIN_STRING_BYTES = 8;
const MIN_ARRAY_BYTES = 12;

/** Reads values one after the other. */
class Cursor {
  #bytes;
  #view;
  #limit;
  #isWhole;
  #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  offset = 0;

  /** @param {Uint8Array} bytes the beginning of the file @param {number} limit where a header ends at the latest
   * @param {boolean} isWhole nothing more is to be read */
  constructor(bytes, limit, isWhole) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#limit = limit;
    this.#isWhole = isWhole;
  }

  /** The place of the next bytes, which are then passed.
   * @param {number} length */
  #next(length) {
    const offset = this.offset;
    if (offset + length > this.#bytes.length) {
      if (this.#isWhole || offset + length > this.#limit) refuse('headerEnds', { at: offset });
      throw INCOMPLETE;
    }
    this.offset = offset + length;
    return offset;
  }

  u32() {
    return this.#view.getUint32(this.#next(4), true);
  }

  /** An integer of 64 bits as a number; above 2^53 it is none that anything could have.
   * @param {() => string} where */
  length(where) {
    const value = this.#view.getBigUint64(this.#next(8), true);
    if (value > Number.MAX_SAFE_INTEGER) refuse('beyondAll', { where: where(), n: String(value) });
    return Number(value);
  }

  /** How many follow, each of so many bytes at least.
   * @param {() => string} where @param {number} least */
  count(where, least) {
    const n = this.length(where);
    if (n * least > this.#limit - this.offset) refuse('countBeyond', { where: where(), n });
    return n;
  }

  /** @param {() => string} where */
  string(where) {
    const length = this.count(where, 1);
    const offset = this.#next(length);
    return this.#decoder.decode(this.#bytes.subarray(offset, offset + length));
  }

  /** So many numbers of a type.
   * @param {number} type @param {number} count */
  numbers(type, count) {
    const Kind = NUMBERS[type];
    const length = count * Kind.BYTES_PER_ELEMENT;
    const offset = this.#next(length);
    return new Kind(/** @type {ArrayBuffer} */ (this.#bytes.slice(offset, offset + length).buffer));
  }
}

/** @param {Cursor} cursor @param {number} type @param {() => string} where @param {number} depth
 * @returns {Value} */
function readValue(cursor, type, where, depth) {
  if (type === STRING) return cursor.string(where);
  if (type === ARRAY) return readArray(cursor, where, depth + 1);
  if (!Object.hasOwn(NUMBERS, type)) refuse('valueType', { where: where(), type });
  const [value] = cursor.numbers(type, 1);
  if (type === BOOL) return value !== 0;
  const number = Number(value);
  return typeof value === 'bigint' && Number.isSafeInteger(number) ? number : value;
}

/** @param {Cursor} cursor @param {() => string} where @param {number} depth
 * @returns {Value} */
function readArray(cursor, where, depth) {
  if (depth > MAX_DEPTH) refuse('nested', { where: where(), most: MAX_DEPTH });
  const type = cursor.u32();
  const isNumber = Object.hasOwn(NUMBERS, type);
  if (!isNumber && type !== STRING && type !== ARRAY) refuse('valueType', { where: where(), type });
  if (isNumber) {
    return cursor.numbers(type, cursor.count(where, NUMBERS[type].BYTES_PER_ELEMENT));
  }
  const count = cursor.count(where, type === STRING ? MIN_STRING_BYTES : MIN_ARRAY_BYTES);
  /** @type {Value[]} */
  const values = [];
  for (let i = 0; i < count; i++) values.push(readValue(cursor, type, where, depth));
  return values;
}

/** @param {Cursor} cursor @param {number} count
 * @returns {Metadata} */
function readMetadata(cursor, count) {
  /** @type {Metadata} */
  const metadata = new Map();
  for (let i = 0; i < count; i++) {
    const key = cursor.string(() => `key ${i}`);
    const where = () => JSON.stringify(key.slice(0, 100));
    if (metadata.has(key)) refuse('keyTwice', { value: key });
    metadata.set(key, readValue(cursor, cursor.u32(), where, 0));
  }
  return metadata;
}

/** What a tensor's entry says; begin counts from the data.
 * @param {Cursor} cursor @param {() => string} where
 * @returns {StoredTensor} */
function readTensor(cursor, where) {
  const rank = cursor.u32();
  if (rank < 1 || rank > MAX_RANK) {
    refuse('integerFrom', { where: `${where()}: rank`, low: 1, high: MAX_RANK, given: rank });
  }
  /** @type {number[]} */
  const shape = [];
  for (let i = 0; i < rank; i++) shape.unshift(cursor.length(where));
  const type = cursor.u32();
  const dtype = TYPES[type] ?? `type ${type}`;
  if (!Object.hasOwn(STORED, dtype)) {
    refuse('typeUnread', { where: where(), dtype, words: Object.keys(STORED).join(', ') });
  }
  let count = 1;
  for (const d of shape) {
    count *= d;
    if (!d) refuse('shapeEmpty', { where: where(), shape });
    if (!Number.isSafeInteger(8 * count)) refuse('shapeBeyond', { where: where(), shape });
  }
  const { block } = STORED[dtype];
  const width = /** @type {number} */ (shape.at(-1));
  if (width % block) refuse('rowsOfBlocks', { where: where(), dtype, block, n: width });
  const begin = cursor.length(where);
  return { dtype, shape, begin, end: begin + bytesOf(dtype, count) };
}

/** @param {Metadata} metadata */
function alignmentOf(metadata) {
  const alignment = metadata.get('general.alignment') ?? ALIGNMENT;
  const isPower = typeof alignment === 'number' && Math.log2(alignment) % 1 === 0 && alignment >= 1;
  return isPower
    ? Number(alignment)
    : refuse('powerOf2', { where: 'general.alignment', given: alignment });
}

/** @param {number} offset @param {number} alignment */
const aligned = (offset, alignment) => Math.ceil(offset / alignment) * alignment;

/** The header, if the bytes have it whole.
 * @param {Uint8Array} bytes the beginning of the file @param {number} size of the file @param {boolean} isWhole
 * @returns {Gguf} */
function parse(bytes, size, isWhole) {
  const cursor = new Cursor(bytes, Math.min(size, MAX_HEADER_BYTES), isWhole);
  cursor.u32();
  const version = cursor.u32();
  if (!VERSIONS.includes(version)) {
    const hint = version && version % 2 ** 16 === 0 ? message('bigEndian', {}) : undefined;
    refuse('integerFrom', { where: 'version', low: 2, high: 3, given: version, hint });
  }
  const tensorCount = cursor.count(() => 'tensors', MIN_TENSOR_BYTES);
  const pairs = cursor.count(() => 'pairs', MIN_PAIR_BYTES);
  const first = cursor.offset;
  const metadata = readMetadata(cursor, pairs);
  const rawPairs = { count: pairs, bytes: bytes.subarray(first, cursor.offset) };
  const count = Number(metadata.get('split.count'));
  if (count > 1) refuse('partOfGguf', { n: Number(metadata.get('split.no') ?? 0) + 1, count });
  const alignment = alignmentOf(metadata);
  /** @type {Map<string, StoredTensor>} */
  const tensors = new Map();
  let next = 0;
  for (let i = 0; i < tensorCount; i++) {
    const name = cursor.string(() => `tensor ${i}`);
    const where = () => `tensor ${JSON.stringify(name.slice(0, 100))}`;
    if (tensors.has(name)) refuse('nameTwice', { where: where() });
    const tensor = readTensor(cursor, where);
    if (tensor.begin !== next) {
      refuse('beginsElsewhere', { where: where(), at: tensor.begin, expected: next });
    }
    next = aligned(tensor.end, alignment);
    tensors.set(name, tensor);
  }
  const data = aligned(cursor.offset, alignment);
  for (const [name, tensor] of tensors) {
    tensor.begin += data;
    tensor.end += data;
    if (tensor.end <= size) continue;
    const where = `tensor ${JSON.stringify(name.slice(0, 100))}`;
    refuse('beyondEnd', { where, at: tensor.end, size });
  }
  return { metadata, tensors, pairs: rawPairs };
}

/** Reads the header of a GGUF file: what it says, and where its tensors are.
 * @param {Source} source
 * @returns {Promise<Gguf>} */
export async function readGguf(source) {
  let bytes = new Uint8Array(0);
  for (let end = FIRST_READ_BYTES; ; end *= 2) {
    const most = Math.min(end, source.size, MAX_HEADER_BYTES);
    const more = await source.read(bytes.length, most);
    const both = new Uint8Array(bytes.length + more.length);
    both.set(bytes);
    both.set(more, bytes.length);
    /* A source that does not know its size has come to its end. */
    const isWhole = both.length < end;
    const size = both.length < most ? both.length : source.size;
    bytes = both;
    try {
      return parse(bytes, size, isWhole);
    } catch (error) {
      if (error !== INCOMPLETE) throw error;
    }
  }
}

/** The header of a file with this metadata and tensors of these types, up to where its data begin; and where each
 * tensor begins in the data, which the next multiple of the alignment follows.
 * @param {Gguf} from whose metadata it has @param {(name: string, tensor: StoredTensor) => string} dtypeOf
 * @returns {{ header: Uint8Array, tensors: { name: string, dtype: string, begin: number, end: number }[] }} */
export function ggufHeader({ metadata, tensors, pairs }, dtypeOf) {
  const alignment = alignmentOf(metadata);
  const encoder = new TextEncoder();
  const names = [...tensors.keys()].map((name) => encoder.encode(name));
  const rest = names.reduce((sum, { length }) => sum + MIN_TENSOR_BYTES + length, 0);
  const most = 24 + pairs.bytes.length + rest + 8 * MAX_RANK * names.length;
  const header = new Uint8Array(most + alignment);
  const view = new DataView(header.buffer);
  let offset = 0;
  const u32 = (/** @type {number} */ value) => {
    view.setUint32(offset, value, true);
    offset += 4;
  };
  const u64 = (/** @type {number} */ value) => {
    view.setBigUint64(offset, BigInt(value), true);
    offset += 8;
  };
  const put = (/** @type {Uint8Array} */ bytes) => {
    header.set(bytes, offset);
    offset += bytes.length;
  };
  put(encoder.encode(MAGIC));
  u32(VERSION);
  u64(tensors.size);
  u64(pairs.count);
  put(pairs.bytes);
  let begin = 0;
  const placed = [...tensors].map(([name, tensor], i) => {
    const { shape } = tensor;
    const dtype = dtypeOf(name, tensor);
    u64(names[i].length);
    put(names[i]);
    u32(shape.length);
    for (const d of [...shape].reverse()) u64(d);
    u32(TYPES.indexOf(dtype));
    u64(begin);
    const end = begin + bytesOf(dtype, sizeOf(shape));
    const place = { name, dtype, begin, end };
    begin = aligned(end, alignment);
    return place;
  });
  return { header: header.subarray(0, aligned(offset, alignment)), tensors: placed };
}
