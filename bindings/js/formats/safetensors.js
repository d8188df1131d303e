// Reads and writes safetensors, the format of Hugging Face for named tensors:
//
//   8 bytes   n, a little-endian integer
//   n bytes   JSON: {"name": {"dtype": "F32", "shape": [2,3], "data_offsets": [0,24]}, ...} and
//             perhaps "__metadata__", an object of strings
//   the rest  the tensors, little-endian, one after the other without gaps
//
// https://github.com/huggingface/safetensors

import { isDetached, rangeError, typeError } from '../base/errors.js';
import { fromBfloat, fromHalf } from './halves.js';
import { typeError as fileTypeError, message, refusing } from './texts.js';

/** @typedef {{ shape: number[], data: Float32Array }} Values */
/** @typedef {{ dtype: string, shape: number[], data: Float32Array | Int32Array }} FileTensor */
/** @typedef {Map<string, FileTensor>} FileTensors */
/** @typedef {{ dtype: string, shape: number[], begin: number, end: number }} Entry */

const PREFIX = 8;
const MAX_HEADER_BYTES = 100_000_000;
const MAX_RANK = 32;
const METADATA = '__metadata__';
const WHITE = new Set(' \t\n\r');
/** An integer of JSON that nothing makes another number. */
const INTEGER = /(?:0|[1-9]\d{0,15})(?![-+.\w])/y;
/** A string of JSON that means what it says: nothing is escaped, nothing forbidden. */
const PLAIN = /"[^"\\\p{Cc}\p{Surrogate}]*"/uy;
const FIELDS = ['dtype', 'shape', 'data_offsets'];

/** @type {import('./texts.js').Refuse} */
const refuse = /* @__PURE__ */ refusing('safetensors');

/** @param {string} name */
const titleOf = (name) => `tensor ${JSON.stringify(name.slice(0, 100))}`;

// ---- Numbers ----

/** @param {Uint32Array | BigInt64Array | BigUint64Array} wide @param {string} name */
function narrow(wide, name) {
  const out = new Int32Array(wide.length);
  for (let i = 0; i < wide.length; i++) {
    out[i] = Number(wide[i]);
    if (out[i] !== Number(wide[i])) {
      refuse('beyond32', { where: titleOf(name), at: i, number: String(wide[i]) });
    }
  }
  return out;
}

/** What a file holds, in a buffer that is nobody else's. @typedef {Uint8Array & { buffer: ArrayBuffer }} Bytes */
/** @typedef {{ new (buffer: ArrayBufferLike, at?: number, length?: number): ArrayBufferView, BYTES_PER_ELEMENT: number }} Kind */

/** What the elements of a dtype are, and what they become.
 * @type {Record<string, [Kind, (elements: any, name: string) => Float32Array | Int32Array]>} */
const DTYPES = {
  F64: [Float64Array, (x) => new Float32Array(x)],
  F32: [Float32Array, (x) => x],
  F16: [Uint16Array, fromHalf],
  BF16: [Uint16Array, fromBfloat],
  I64: [BigInt64Array, narrow],
  U64: [BigUint64Array, narrow],
  I32: [Int32Array, (x) => x],
  U32: [Uint32Array, narrow],
  I16: [Int16Array, (x) => new Int32Array(x)],
  U16: [Uint16Array, (x) => new Int32Array(x)],
  I8: [Int8Array, (x) => new Int32Array(x)],
  U8: [Uint8Array, (x) => new Int32Array(x)],
  BOOL: [Uint8Array, (x) => new Int32Array(x)],
};

/** The tensor's numbers; a view of the file where its numbers can be used as they lie.
 * @param {Uint8Array} data @param {string} name @param {Entry} entry
 * @returns {FileTensor} */
function tensorOf(data, name, { dtype, shape, begin, end }) {
  const [Kind, convert] = DTYPES[dtype];
  const size = Kind.BYTES_PER_ELEMENT;
  const byteOffset = data.byteOffset + begin;
  const elements =
    byteOffset % size === 0
      ? new Kind(data.buffer, byteOffset, (end - begin) / size)
      : new Kind(data.slice(begin, end).buffer);
  return { dtype, shape, data: convert(elements, name) };
}

// ---- The header ----

/** JSON as the header has it, and no other: JSON.parse would keep the last of two equal keys without
 * a word. What may stand where is known, so nothing here recurses, however deep a file nests. */
class Scanner {
  #text;
  #position = 0;

  /** @param {string} text */
  constructor(text) {
    this.#text = text;
  }

  /** @param {import('../base/message.js').Message} expected
   * @returns {never} */
  #refuse(expected) {
    const rest = this.#text.slice(this.#position);
    const problem = { where: 'header', expected, at: this.#position };
    return rest ? refuse('jsonAt', { ...problem, given: rest }) : refuse('jsonEnd', problem);
  }

  #skip() {
    while (WHITE.has(this.#text[this.#position])) this.#position++;
  }

  /** Reads past null, if it comes next. */
  null() {
    this.#skip();
    if (!this.#text.startsWith('null', this.#position)) return false;
    this.#position += 4;
    return true;
  }

  /** Reads past the sign, if it comes next.
   * @param {string} sign */
  #take(sign) {
    this.#skip();
    if (this.#text[this.#position] !== sign) return false;
    this.#position++;
    return true;
  }

  /** @param {string} sign */
  #need(sign) {
    if (!this.#take(sign)) this.#refuse(message('jsonSign', { sign }));
  }

  string() {
    const text = this.#text;
    this.#skip();
    PLAIN.lastIndex = this.#position;
    if (PLAIN.test(text)) {
      const value = text.slice(this.#position + 1, PLAIN.lastIndex - 1);
      this.#position = PLAIN.lastIndex;
      return value;
    }
    if (!this.#take('"')) this.#refuse(message('jsonString', {}));
    const begin = this.#position - 1;
    let end = this.#position;
    while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
    this.#position = begin;
    const value = parse(text.slice(begin, end + 1));
    if (value === null || /\p{Surrogate}/u.test(value)) this.#refuse(message('jsonUnicode', {}));
    this.#position = end + 1;
    return value;
  }

  integer() {
    this.#skip();
    INTEGER.lastIndex = this.#position;
    const value = Number(INTEGER.exec(this.#text)?.[0]);
    if (!Number.isSafeInteger(value)) this.#refuse(message('jsonInteger', {}));
    this.#position = INTEGER.lastIndex;
    return value;
  }

  /** @param {() => string} where @param {number} most */
  integers(where, most) {
    /** @type {number[]} */
    const values = [];
    this.#need('[');
    if (this.#take(']')) return values;
    do {
      if (values.length === most) refuse('tooManyNumbers', { where: where(), most });
      values.push(this.integer());
    } while (this.#take(','));
    this.#need(']');
    return values;
  }

  /** @param {() => string} where
   * @param {(key: string) => boolean} isTaken whether a key was there before
   * @param {(key: string) => void} member reads the value of a key */
  object(where, isTaken, member) {
    this.#need('{');
    if (this.#take('}')) return;
    do {
      const key = this.string();
      if (isTaken(key)) refuse('keyTwice', { where: where(), value: key });
      this.#need(':');
      member(key);
    } while (this.#take(','));
    this.#need('}');
  }

  end() {
    this.#skip();
    if (this.#position < this.#text.length) this.#refuse(message('jsonNothing', {}));
  }
}

/** A JSON string's value, or null if it is none.
 * @param {string} text
 * @returns {string | null} */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** @param {Scanner} scanner @param {string} name
 * @returns {Entry} */
function readEntry(scanner, name) {
  /* Made where something is wrong: a file may have a million tensors. */
  const title = () => titleOf(name);
  /** @type {{ dtype?: string, shape?: number[], data_offsets?: number[] }} */
  const fields = {};
  scanner.object(
    title,
    (key) => Object.hasOwn(fields, key),
    (key) => {
      if (key === 'dtype') fields.dtype = scanner.string();
      else if (key === 'shape')
        fields.shape = scanner.integers(() => `${title()}: shape`, MAX_RANK);
      else if (key === 'data_offsets') {
        fields.data_offsets = scanner.integers(() => `${title()}: data_offsets`, 2);
      } else refuse('keyUnknown', { where: title(), value: key, expected: FIELDS.join(', ') });
    },
  );
  const { dtype = '', shape, data_offsets: offsets } = fields;
  if (!shape || offsets?.length !== 2) {
    return refuse('fieldsDue', { where: title(), expected: FIELDS.join(', ') });
  }
  if (!Object.hasOwn(DTYPES, dtype)) {
    refuse('word', {
      where: `${title()}: dtype`,
      words: Object.keys(DTYPES).join(', '),
      given: dtype,
    });
  }
  const [begin, end] = offsets;
  let bytes = DTYPES[dtype][0].BYTES_PER_ELEMENT;
  for (const d of shape) {
    bytes *= d;
    if (!Number.isSafeInteger(bytes)) refuse('shapeBeyond', { where: title(), shape });
  }
  if (end - begin !== bytes) {
    refuse('offsetsUnfit', { where: title(), dtype, shape, bytes, offsets });
  }
  return { dtype, shape, begin, end };
}

/** @param {Scanner} scanner
 * @returns {Record<string, string>} */
function readMetadata(scanner) {
  const metadata = Object.create(null);
  /* As safetensors itself reads it. */
  if (scanner.null()) return metadata;
  scanner.object(
    () => METADATA,
    (key) => key in metadata,
    (key) => {
      metadata[key] = scanner.string();
    },
  );
  return metadata;
}

/** Every byte of the data belongs to one tensor.
 * @param {Map<string, Entry>} entries @param {number} size of the data */
function checkLayout(entries, size) {
  const sorted = [...entries].sort(([, a], [, b]) => a.begin - b.begin || a.end - b.end);
  let position = 0;
  for (const [name, { begin, end }] of sorted) {
    if (begin < position) refuse('overlaps', { where: titleOf(name), at: begin });
    if (begin > position) refuse('hole', { where: titleOf(name), at: begin, from: position });
    if (end > size) refuse('beyondEnd', { where: titleOf(name), at: end, size });
    position = end;
  }
  if (position < size) refuse('trailing', { n: size - position });
}

/** The length of the header.
 * @param {Uint8Array} bytes the first ones @param {number} size of the file */
function headerLength(bytes, size) {
  if (bytes.length < PREFIX) refuse('tooShort', { n: PREFIX, given: bytes.length });
  const length = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true);
  if (length > MAX_HEADER_BYTES) {
    refuse('headerTooLong', { length: String(length), most: MAX_HEADER_BYTES });
  }
  if (PREFIX + Number(length) > size) {
    refuse('headerBeyond', { length: String(length), rest: size - PREFIX });
  }
  return Number(length);
}

/** @param {Uint8Array} bytes of the header */
function readHeader(bytes) {
  const scanner = new Scanner(textOf(bytes));
  /** @type {Map<string, Entry>} */
  const entries = new Map();
  /** @type {Record<string, string> | undefined} */
  let metadata;
  scanner.object(
    () => 'header',
    (name) => (name === METADATA ? metadata !== undefined : entries.has(name)),
    (name) => {
      if (name === METADATA) metadata = readMetadata(scanner);
      else entries.set(name, readEntry(scanner, name));
    },
  );
  scanner.end();
  return { entries, metadata: metadata ?? Object.create(null) };
}

/** @param {Uint8Array} bytes */
function textOf(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return refuse('headerUtf8', {});
  }
}

/** Reads the header of a file alone: where its tensors are, and what is said besides.
 * @param {import('../../models/formats/source.js').Source} source
 * @returns {Promise<{ entries: Map<string, Entry>, metadata: Record<string, string> }>} begin and end count from the file's
 *   first byte */
export async function readSafetensorsHeader(source) {
  const length = headerLength(await source.read(0, PREFIX), source.size);
  const data = PREFIX + length;
  const bytes = await source.read(PREFIX, data);
  if (bytes.length < length) refuse('headerBeyond', { length: String(length), rest: bytes.length });
  const { entries, metadata } = readHeader(bytes);
  const most = [...entries.values()].reduce((end, entry) => Math.max(end, entry.end), 0);
  checkLayout(entries, Number.isFinite(source.size) ? source.size - data : most);
  for (const entry of entries.values()) {
    entry.begin += data;
    entry.end += data;
  }
  return { entries, metadata };
}

/** Reads a file as a whole, or refuses it with the reason. Floating-point tensors become float32, all
 * others int32. Tensors that are float32 or int32 already are views of `bytes` if they lie aligned.
 * @param {ArrayBuffer | Uint8Array} bytes @param {string} where what takes them
 * @returns {{ tensors: FileTensors, metadata: Record<string, string> }} */
export function readSafetensors(bytes, where) {
  if (!(bytes instanceof ArrayBuffer || bytes instanceof Uint8Array) || isDetached(bytes)) {
    throw fileTypeError('bytes', { where, given: bytes });
  }
  /* Not a subclass: the slice of Node's Buffer copies nothing. */
  const file =
    bytes instanceof ArrayBuffer
      ? new Uint8Array(bytes)
      : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = PREFIX + headerLength(file, file.length);
  const { entries, metadata } = readHeader(file.subarray(PREFIX, end));
  const data = file.subarray(end);
  checkLayout(entries, data.length);
  /** @type {FileTensors} */
  const tensors = new Map();
  for (const [name, entry] of entries) tensors.set(name, tensorOf(data, name, entry));
  return { tensors, metadata };
}

// ---- Writing ----

/** The order of UTF-8, in which the format's own writer sorts; that of UTF-16 is another above U+FFFF.
 * @param {string} a @param {string} b */
function compare(a, b) {
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  return (a.codePointAt(i) ?? -1) - (b.codePointAt(i) ?? -1);
}

/** @param {unknown} text @param {string} what */
function checkText(text, what) {
  const where = `writeSafetensors: ${what}`;
  if (typeof text !== 'string') throw typeError('text', { where, given: text });
  if (/\p{Surrogate}/u.test(text)) throw rangeError('notUnicode', { where, value: text });
}

/** @param {Map<string, Values>} all @param {string} name @param {Values} tensor */
function checkTensor(all, name, { shape, data }) {
  checkText(name, 'name');
  const where = `writeSafetensors: ${titleOf(name)}`;
  if (name === METADATA) throw rangeError('keptName', { where });
  if (all.has(name)) throw rangeError('nameTwice', { where });
  if (!(data instanceof Float32Array)) {
    throw typeError('floats', { where, given: data });
  }
  if (!Array.isArray(shape) || !shape.every((d) => Number.isSafeInteger(d) && d >= 0)) {
    throw typeError('shape', { where, given: shape });
  }
  if (shape.length > MAX_RANK || shape.reduce((a, b) => a * b, 1) !== data.length) {
    throw rangeError('shapeOfNumbers', { where, shape, n: data.length });
  }
}

/** A JSON object of strings and values that are JSON already.
 * @param {[string, string][]} members */
const objectText = (members) =>
  `{${members.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`;

/** Writes float32 tensors, sorted by name: equal tensors give equal bytes.
 * @param {Iterable<[string, Values]>} tensors
 * @param {Record<string, string>} [metadata] PyTorch's files say { format: 'pt' }
 * @returns {Bytes} */
export function writeSafetensors(tensors, metadata = {}) {
  /** @type {Map<string, Values>} */
  const all = new Map();
  for (const [name, tensor] of tensors) {
    checkTensor(all, name, tensor);
    all.set(name, tensor);
  }
  /** @type {[string, string][]} */
  const notes = Object.entries(metadata)
    .sort(([a], [b]) => compare(a, b))
    .map(([key, value]) => {
      checkText(key, 'key of metadata');
      checkText(value, `metadata.${key}`);
      return [key, JSON.stringify(value)];
    });
  /** @type {[string, string][]} */
  const members = notes.length ? [[METADATA, objectText(notes)]] : [];
  const sorted = [...all].sort(([a], [b]) => compare(a, b));
  let end = 0;
  for (const [name, { shape, data }] of sorted) {
    const begin = end;
    end += data.byteLength;
    members.push([name, `{"dtype":"F32","shape":[${shape}],"data_offsets":[${begin},${end}]}`]);
  }
  const header = new TextEncoder().encode(objectText(members));
  /* Spaces up to a multiple of 8 keep the numbers aligned. */
  const length = Math.ceil(header.length / 8) * 8;
  if (length > MAX_HEADER_BYTES) {
    throw rangeError('headerWould', { where: 'writeSafetensors', length });
  }
  const file = new Uint8Array(PREFIX + length + end);
  new DataView(file.buffer).setBigUint64(0, BigInt(length), true);
  file.fill(0x20, PREFIX, PREFIX + length);
  file.set(header, PREFIX);
  let offset = PREFIX + length;
  for (const [, { data }] of sorted) {
    file.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), offset);
    offset += data.byteLength;
  }
  return file;
}
