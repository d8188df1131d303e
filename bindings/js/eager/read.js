// An argument of an eager function: plain data in, and the answer in the same form.

import { checkInteger, typeError } from '../base/errors.js';
import { checkShape, flatten, INT32, isList, isPlain, nest, shapeOf } from '../base/values.js';

/** @typedef {import('../base/values.js').Data} Data */

/** Row-major data of a shape. @typedef {{ data: Data, shape: readonly number[] }} Arranged */
/** A number or arrays in arrays; a typed array; { data }. @typedef {'nested' | 'typed' | 'flat'} Form */
/** An argument, read. @typedef {Arranged & { form: Form }} Operand */

/** @param {string} where @param {unknown} input
 * @returns {{ list: unknown, shape: number[], form: Form }} */
function formOf(where, input) {
  if (isPlain(input)) {
    const { data } = input;
    if (!isList(data)) throw typeError('array', { where: `${where}: data`, given: data });
    const shape = input.shape === undefined ? [data.length] : checkShape(where, input.shape);
    for (const [i, d] of shape.entries()) checkInteger(`${where}: shape[${i}]`, d, 0, INT32);
    return { list: data, shape, form: 'flat' };
  }
  const shape = shapeOf(input, where);
  const form = ArrayBuffer.isView(input) ? 'typed' : 'nested';
  if (shape.length) return { list: input, shape, form };
  throw typeError('values', { where, given: input });
}

/** @param {string} where @param {unknown} input @param {{ new (size: number): Data }} Kind
 * @returns {Operand} */
function read(where, input, Kind) {
  const { list, shape, form } = formOf(where, input);
  const data = flatten(where, form === 'flat' ? { data: list } : list, shape, Kind);
  /* A view of the core's memory would be empty once the call needs memory of its own. */
  return { data: data === list ? data.slice() : data, shape, form };
}

/** @param {string} where @param {unknown} input */
export const values = (where, input) => read(where, input, Float32Array);

/** @param {string} where @param {unknown} input */
export const ids = (where, input) => read(where, input, Int32Array);

/** The same where a single number will do.
 * @param {string} where @param {unknown} input
 * @returns {Operand} */
export const valuesOrNumber = (where, input) =>
  typeof input === 'number'
    ? { data: Float32Array.of(input), shape: [], form: 'nested' }
    : values(where, input);

/** true and false as 1 and 0, below a shape: each list is looked at before it is gone through.
 * @param {string} where @param {unknown} list @param {number} depth
 * @returns {unknown} */
function zerosAndOnes(where, list, depth) {
  if (depth === 0) return typeof list === 'boolean' ? Number(list) : list;
  if (!Array.isArray(list)) return list;
  const out = [];
  for (let i = 0; i < list.length; i++) {
    if (list[i] === undefined)
      throw typeError('boolean', { where: `${where} at [${i}]`, given: undefined });
    out.push(zerosAndOnes(where, list[i], depth - 1));
  }
  return out;
}

/** Float16Array, Float32Array, Float64Array. @param {ArrayBufferView} list */
const isOfFloats = (list) => /^\[object Float/.test(Object.prototype.toString.call(list));

/** A mask: of booleans or integers in a typed array true or 1 keeps a cell; numbers are added to the scores.
 * @param {string} where @param {unknown} input */
export function mask(where, input) {
  const { list, shape, form } = formOf(where, input);
  const depth = form === 'flat' ? 1 : shape.length;
  let first = /** @type {any} */ (list);
  for (let axis = 0; axis < depth; axis++) first = first?.[0];
  if (typeof first === 'boolean') {
    const data = zerosAndOnes(where, list, depth);
    return ids(where, form === 'flat' ? { .../** @type {object} */ (input), data } : data);
  }
  const integers = ArrayBuffer.isView(list) && !isOfFloats(list);
  return integers ? ids(where, input) : values(where, input);
}

/** An answer in the form of an argument, whose numbers stay its owner's. Of a typed array it is a number, a
 * typed array, or, with several dimensions, { data, shape }.
 * @template A what the form makes of it
 * @param {Operand} like @param {Arranged} array
 * @returns {A} */
export function answer(like, { data, shape }) {
  const numbers = data === like.data ? data.slice() : data;
  const isRow = like.form === 'typed' && shape.length === 1;
  const isFlat = like.form === 'flat' || (like.form === 'typed' && shape.length > 1);
  const made = isRow ? numbers : isFlat ? { data: numbers, shape: [...shape] } : nest(data, shape);
  return /** @type {A} */ (made);
}
