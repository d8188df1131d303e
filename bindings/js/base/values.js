// Plain JavaScript values on their way into tensors and back: nested arrays, typed arrays, { data }.

import { checkInt32, checkNumber, failure, isDetached, rangeError, typeError } from './errors.js';

/** Float32Array, Int32Array and their like. @typedef {ArrayLike<number> & ArrayBufferView} TypedArray */

/** Arrays in arrays, 8 levels at most; the innermost may be typed.
 * @template T
 * @typedef {readonly T[] | TypedArray | readonly Nested<T>[]} Nested */

/** data: row by row, in a shape: by default [data.length].
 * @template T
 * @typedef {{ data: ArrayLike<T>, shape?: readonly number[] }} Flat */

/** Numbers of any shape. @typedef {Nested<number> | Flat<number>} Values */
/** Booleans or numbers of any shape. @typedef {Nested<number | boolean> | Flat<number | boolean>} Mask */
/** Numbers as a function gives them back. @typedef {number[] | NestedNumbers[]} NestedNumbers */
/** @typedef {Float32Array | Int32Array} Data */

/** @param {unknown} value
 * @returns {value is ArrayLike<unknown>} */
export const isList = (value) =>
  Array.isArray(value) ||
  (ArrayBuffer.isView(value) && !(value instanceof DataView) && !isDetached(value));

/** Whether the values are given as { data }.
 * @param {unknown} value
 * @returns {value is { data: unknown, shape?: unknown }} */
export const isPlain = (value) =>
  typeof value === 'object' && value !== null && 'data' in value && !isList(value);

/** Whether the value is an object as JSON has them.
 * @param {unknown} value
 * @returns {value is Record<string, unknown>} */
export const isObject = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether something can be read with for await.
 * @param {unknown} value
 * @returns {value is Iterable<unknown> | AsyncIterable<unknown>} */
export const isIterable = (value) =>
  typeof value === 'object' &&
  value !== null &&
  (Symbol.iterator in value || Symbol.asyncIterator in value) &&
  !isDetached(value);

/** Whether an option or an operand is there: null stands for none, too.
 * @param {unknown} value
 * @returns {value is {}} */
export const isGiven = (value) => value !== null && value !== undefined;

/** The largest integers of 32 bits, with a sign and without. */
export const INT32 = 2 ** 31 - 1;
export const UINT32 = 2 ** 32 - 1;

/** Dimensions of plain data; a tape's have half as many. */
export const MAX_DEPTH = 8;

/** @param {readonly number[]} shape */
export const sizeOf = (shape) => shape.reduce((product, d) => product * d, 1);

/** @param {string} where @param {unknown} shape
 * @returns {number[]} */
export function checkShape(where, shape) {
  if (!Array.isArray(shape) || shape.length > MAX_DEPTH) {
    throw typeError('shape', { where, given: shape });
  }
  /* Copied, so that holes are seen. */
  return [...shape].map((d, i) => (isInt32(d) ? d : checkInt32(`${where}: shape[${i}]`, d)));
}

/** @param {unknown} value
 * @returns {value is number} */
const isInt32 = (value) => typeof value === 'number' && (value | 0) === value;

/** @param {string} where @param {number[]} path */
const place = (where, path) => (path.length ? `${where} at [${path}]` : where);

/** @param {Data} out @param {unknown} value
 * @returns {value is number} */
const fits = (out, value) =>
  out instanceof Int32Array ? isInt32(value) : typeof value === 'number';

/** Writes one number, after checking it.
 * @param {Data} out @param {number} offset @param {unknown} value @param {string} where @param {number[]} path */
export function put(out, offset, value, where, path) {
  if (!fits(out, value)) {
    (out instanceof Int32Array ? checkInt32 : checkNumber)(place(where, path), value);
  }
  out[offset] = /** @type {number} */ (value);
}

/** Refuses what is no list, or has another length than the shape at this depth.
 * @param {unknown} values @param {readonly number[]} shape @param {string} where @param {number[]} path
 * @returns {asserts values is ArrayLike<unknown>} */
function checkList(values, shape, where, path) {
  const n = shape[path.length];
  if (isList(values) && values.length === n) return;
  const fault = isList(values) ? rangeError : typeError;
  throw fault('arrayFor', { where: place(where, path), n, shape, given: values });
}

/** Writes the rows below one index.
 * @param {Data} out @param {number} offset @param {unknown} values @param {readonly number[]} shape
 * @param {string} where @param {number[]} path to the values; while rows are written, to these */
function fill(out, offset, values, shape, where, path) {
  checkList(values, shape, where, path);
  const depth = path.length;
  const n = values.length;
  if (depth === shape.length - 1) {
    for (let i = 0; i < n; i++) {
      const value = values[i];
      if (fits(out, value)) out[offset + i] = value;
      else put(out, offset + i, value, where, [...path, i]);
    }
    return;
  }
  let step = 1;
  for (let axis = depth + 1; axis < shape.length; axis++) step *= shape[axis];
  for (let i = 0; i < n; i++) {
    path[depth] = i;
    fill(out, offset + i * step, values[i], shape, where, path);
  }
  path.length = depth;
}

/** The values as one row-major array of the wanted kind; the values themselves if they are that.
 * @param {string} where @param {unknown} values @param {readonly number[]} shape
 * @param {{ new (size: number): Data }} Kind
 * @returns {Data} */
export function flatten(where, values, shape, Kind) {
  let source = values;
  if (isPlain(values)) {
    source = values.data;
    if (values.shape !== undefined) {
      const dimensions = checkShape(where, values.shape);
      if (dimensions.length !== shape.length || dimensions.some((d, i) => d !== shape[i])) {
        throw rangeError('shapeAs', { where, expected: shape, shape: dimensions });
      }
    }
  }
  const size = sizeOf(shape);
  if (source instanceof Kind && source.length === size) return source;
  /* What comes with a shape, or without the possibility of nesting, is flat. */
  const flat = source !== values || ArrayBuffer.isView(source);
  const form = flat ? [size] : shape;
  /* Checked before the memory for a wrong shape is allocated. */
  if (form.length) checkList(source, form, where, []);
  const out = new Kind(size);
  if (form.length) fill(out, 0, source, form, where, []);
  else put(out, 0, source, where, []);
  return out;
}

/** The shape of nested arrays, judged by their first elements; flatten checks the others. An array that
 * holds itself has no end, so there is one here.
 * @param {unknown} values @param {string} [where] */
export function shapeOf(values, where = 'values') {
  const shape = [];
  for (let v = values; isList(v); v = v[0]) {
    if (shape.length === MAX_DEPTH) throw rangeError('deeper', { where, most: MAX_DEPTH });
    shape.push(v.length);
  }
  return shape;
}

/** Numbers and lists that nested arrays may have: each takes 8 bytes or more of a memory that ends the process when it is
 * full. */
const MAX_NESTED = 2 ** 26;

/** Rows of one axis and those below it, from a place on.
 * @param {ArrayLike<number>} data @param {readonly number[]} shape @param {number} axis @param {number} from
 * @returns {NestedNumbers} */
function rowsOf(data, shape, axis, from) {
  const count = shape[axis];
  if (axis === shape.length - 1) {
    /** @type {number[]} */
    const row = [];
    for (let i = 0; i < count; i++) row.push(data[from + i]);
    return row;
  }
  let step = 1;
  for (let below = axis + 1; below < shape.length; below++) step *= shape[below];
  /** @type {NestedNumbers[]} */
  const rows = [];
  for (let i = 0; i < count; i++) rows.push(rowsOf(data, shape, axis + 1, from + i * step));
  return rows;
}

/** Row-major data as nested arrays; without dimensions a number.
 * @param {ArrayLike<number>} data @param {readonly number[]} shape
 * @returns {number | NestedNumbers} */
export function nest(data, shape) {
  let lists = 1;
  for (const d of shape) {
    lists *= d;
    if (lists > MAX_NESTED) throw failure('GF_EMEMORY', 'nestedTooLarge', { shape });
  }
  return shape.length ? rowsOf(data, shape, 0, 0) : data[0];
}

/** The inverse of flatIndex.
 * @param {readonly number[]} shape @param {number} offset
 * @returns {number[]} */
export function cellIndex(shape, offset) {
  const index = [];
  let rest = offset;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    index.unshift(rest % shape[axis]);
    rest = Math.floor(rest / shape[axis]);
  }
  return index;
}

/** A number of a step, by its place: of a stored parameter it alone is made.
 * @param {{ data: Data, stored?: { at: (place: number) => number } }} step @param {number} offset */
export const numberAt = (step, offset) =>
  step.stored ? step.stored.at(offset) : step.data[offset];

/** The bits of float32 numbers, as a struct of the core has them between its integers.
 * @param {readonly number[]} numbers
 * @returns {Int32Array} */
export const floatBits = (numbers) => new Int32Array(new Float32Array(numbers).buffer);
