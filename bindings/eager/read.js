// Plain data in, plain data out: each call is a small tape of its own.

import { show } from './errors.js';
import { Tape } from './tape.js';
import { checkShape, flatten, isPlain, nest, shapeOf } from './values.js';

/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./tensor.js').Tensor} Tensor */
/** @typedef {import('./values.js').Data} Data */

/** @typedef {{ data: Float32Array, shape: number[] }} Plain */
/** The form of the answer follows the form of the first argument.
 * @template V
 * @typedef {V extends { data: any } ? Plain : V} Like */
/** The same where the answer has another rank.
 * @template V
 * @typedef {V extends { data: any } ? Plain : any[]} LikeOfAnyRank */

/** An argument, read: `nested` tells its form. */
/** @typedef {{ data: Data, shape: number[], nested: boolean }} Operand */

/** @param {string} where @param {unknown} given
 * @returns {{ values: any, shape: number[], nested: boolean }} */
function look(where, given) {
  if (isPlain(given)) {
    const list = /** @type {ArrayLike<unknown>} */ (given.data);
    const shape = given.shape === undefined ? [list.length] : checkShape(where, given.shape);
    return { values: given.data, shape, nested: false };
  }
  const shape = shapeOf(given);
  if (shape.length) return { values: given, shape, nested: true };
  throw new TypeError(
    `${where}: expected nested arrays or { data, shape }, received ${show(given)}`,
  );
}

/** @param {string} where @param {unknown} given @param {{ new (size: number): Data }} Kind
 * @returns {Operand} */
function read(where, given, Kind) {
  const { values, shape, nested } = look(where, given);
  const data = flatten(where, nested ? values : { data: values }, shape, Kind);
  return { data, shape, nested };
}

/** @param {string} where @param {unknown} given */
export const values = (where, given) => read(where, given, Float32Array);

/** @param {string} where @param {unknown} given */
export const ids = (where, given) => read(where, given, Int32Array);

/** true and false as 1 and 0, at any depth.
 * @param {any} list
 * @returns {any} */
const bits = (list) =>
  Array.isArray(list) ? list.map(bits) : typeof list === 'boolean' ? Number(list) : list;

/** A mask: of booleans or integers in a typed array it says what is kept; of numbers it is added.
 * @param {string} where @param {unknown} given */
export function mask(where, given) {
  const { values: list, nested } = look(where, given);
  let first = list;
  while (Array.isArray(first)) first = first[0];
  if (typeof first === 'boolean') {
    return ids(where, nested ? bits(list) : { .../** @type {object} */ (given), data: bits(list) });
  }
  const integers = ArrayBuffer.isView(list) && !/^Float/.test(list.constructor.name);
  return integers ? ids(where, given) : values(where, given);
}

/** Builds, fills and runs a tape for one call.
 * @template {Record<string, Tensor>} R
 * @param {Engine} engine
 * @param {Record<string, Operand>} operands the first one tells the form of the answer
 * @param {(tape: Tape, leaves: Record<string, Tensor>) => R} build
 * @returns {{ [K in keyof R]: any }} */
export function run(engine, operands, build) {
  const tape = new Tape(engine);
  try {
    const entries = Object.entries(operands);
    const leaves = Object.fromEntries(
      entries.map(([name, { data, shape }]) => [
        name,
        data instanceof Int32Array ? tape.ids(name, shape) : tape.input(name, shape),
      ]),
    );
    const results = build(tape, leaves);
    tape.plan();
    for (const [name, { data }] of entries) leaves[name].set(data);
    tape.forward();
    const { nested } = entries[0][1];
    const answer = Object.entries(results).map(([name, { data, shape }]) => [
      name,
      nested ? nest(data, shape) : { data: data.slice(), shape: [...shape] },
    ]);
    return Object.fromEntries(answer);
  } finally {
    tape.dispose();
  }
}
