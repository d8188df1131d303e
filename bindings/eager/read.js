// An argument of an eager function: plain data in, and the answer in the same form.

import { checkInteger, typeError } from '../base/errors.js';
import { checkShape, flatten, isList, isPlain, nest, shapeOf } from '../base/values.js';

/** @typedef {import('../base/values.js').Data} Data */

const INT32 = 2 ** 31 - 1;

/** @typedef {{ data: Float32Array, shape: number[] }} Plain */
/** The form of the answer follows the form of the first argument.
 * @template V
 * @typedef {V extends { data: any } ? Plain : V} Like */
/** The same where the answer has another rank.
 * @template V
 * @typedef {V extends { data: any } ? Plain : any} LikeOfAnyRank */

/** Row-major data of a shape. @typedef {{ data: Data, shape: readonly number[] }} Arranged */
/** An argument, read: `nested` tells its form. @typedef {Arranged & { nested: boolean }} Operand */

/** @param {string} where @param {unknown} given
 * @returns {{ list: any, shape: number[], nested: boolean }} */
function look(where, given) {
  if (isPlain(given)) {
    const { data } = given;
    if (!isList(data)) throw typeError('array', { where: `${where}: data`, given: data });
    const shape = given.shape === undefined ? [data.length] : checkShape(where, given.shape);
    for (const [i, d] of shape.entries()) checkInteger(`${where}: shape[${i}]`, d, 0, INT32);
    return { list: data, shape, nested: false };
  }
  const shape = shapeOf(given, where);
  if (shape.length) return { list: given, shape, nested: true };
  throw typeError('values', { where, given });
}

/** @param {string} where @param {unknown} given @param {{ new (size: number): Data }} Kind
 * @returns {Operand} */
function read(where, given, Kind) {
  const { list, shape, nested } = look(where, given);
  const data = flatten(where, nested ? list : { data: list }, shape, Kind);
  return { data, shape, nested };
}

/** @param {string} where @param {unknown} given */
export const values = (where, given) => read(where, given, Float32Array);

/** @param {string} where @param {unknown} given */
export const ids = (where, given) => read(where, given, Int32Array);

/** The same where a single number will do.
 * @param {string} where @param {unknown} given
 * @returns {Operand} */
export const valuesOrNumber = (where, given) =>
  typeof given === 'number'
    ? { data: Float32Array.of(given), shape: [], nested: true }
    : values(where, given);

/** @param {unknown} value
 * @returns {value is {}} */
export const isGiven = (value) => value !== null && value !== undefined;

/** true and false as 1 and 0, below a shape: each list is looked at before it is gone through.
 * @param {string} where @param {any} list @param {number} depth
 * @returns {any} */
function bits(where, list, depth) {
  if (depth === 0) return typeof list === 'boolean' ? Number(list) : list;
  if (!Array.isArray(list)) return list;
  const out = [];
  for (let i = 0; i < list.length; i++) {
    if (list[i] === undefined)
      throw typeError('boolean', { where: `${where} at [${i}]`, given: undefined });
    out.push(bits(where, list[i], depth - 1));
  }
  return out;
}

/** A mask: of booleans or integers in a typed array it says what is kept; of numbers it is added.
 * @param {string} where @param {unknown} given */
export function mask(where, given) {
  const { list, shape, nested } = look(where, given);
  const depth = nested ? shape.length : 1;
  let first = list;
  for (let axis = 0; axis < depth; axis++) first = first?.[0];
  if (typeof first === 'boolean') {
    const data = bits(where, list, depth);
    return ids(where, nested ? data : { .../** @type {object} */ (given), data });
  }
  const integers = ArrayBuffer.isView(list) && !/^Float/.test(list.constructor.name);
  return integers ? ids(where, given) : values(where, given);
}

/** An answer in the form of an argument, whose numbers stay its owner's.
 * @param {Operand} like @param {Arranged} array
 * @returns {any} */
export function answer(like, { data, shape }) {
  if (like.nested) return nest(data, shape);
  return { data: data === like.data ? data.slice() : data, shape: [...shape] };
}
