// Where the numbers lie: shapes, axes and copies of plain arrays of any rank. No arithmetic on values.

import { checkInteger, failure } from '../base/errors.js';
import { cellIndex, sizeOf } from '../base/values.js';

/** @typedef {import('./read.js').Arranged} Arranged */
/** @typedef {import('./read.js').Data} Data */

/** The axis counted from the front; negative ones count from the back.
 * @param {string} where @param {unknown} axis @param {number} rank */
export function checkAxis(where, axis, rank) {
  const checked = checkInteger(`${where}: axis`, axis, -rank, rank - 1);
  return checked < 0 ? checked + rank : checked;
}

/** The same numbers in another shape.
 * @param {Arranged} array @param {readonly number[]} shape
 * @returns {Arranged} */
export const reshape = ({ data }, shape) => ({ data, shape });

/** A GB of numbers: with copies of them beside, the core has no memory for more. */
const MAX_SIZE = 2 ** 28;

/** How many numbers there will be.
 * @param {string} where @param {readonly number[]} shape */
export function sizeFor(where, shape) {
  const size = sizeOf(shape);
  if (size < MAX_SIZE) return size;
  throw failure('GF_EMEMORY', 'noMemoryFor', { where, shape });
}

/** An array whose cell number i is cell from(i) of another.
 * @param {Arranged} array @param {readonly number[]} shape @param {(i: number) => number} from
 * @returns {Arranged} */
export function copy({ data }, shape, from) {
  const size = sizeFor('copy', shape);
  const out = data instanceof Int32Array ? new Int32Array(size) : new Float32Array(size);
  for (let i = 0; i < size; i++) out[i] = data[from(i)];
  return { data: out, shape };
}

/** How far apart neighbours along each axis lie.
 * @param {readonly number[]} shape */
export const strides = (shape) => shape.map((_, axis) => sizeOf(shape.slice(axis + 1)));

/** Axis i of the result is axis order[i] of the array.
 * @param {Arranged} array @param {readonly number[]} order
 * @returns {Arranged} */
export function permute(array, order) {
  if (order.every((axis, i) => axis === i)) return array;
  const shape = order.map((axis) => array.shape[axis]);
  const steps = strides(array.shape);
  const to = order.map((axis) => steps[axis]);
  return copy(array, shape, (i) =>
    cellIndex(shape, i).reduce((offset, index, axis) => offset + index * to[axis], 0),
  );
}

/** The permutation that undoes another.
 * @param {readonly number[]} order */
export const inverse = (order) => order.map((_, i) => order.indexOf(i));

/** All axes, the given ones at the end.
 * @param {number} rank @param {readonly number[]} last */
export function atTheEnd(rank, last) {
  const axes = Array.from({ length: rank }, (_, i) => i);
  return [...axes.filter((axis) => !last.includes(axis)), ...last];
}

/** An array as rows [R,N] along one axis; back() gives rows of any length that place again.
 * @param {Arranged} array @param {number} axis */
export function alongAxis(array, axis) {
  const order = atTheEnd(array.shape.length, [axis]);
  const moved = permute(array, order);
  const lead = moved.shape.slice(0, -1);
  return {
    rows: reshape(moved, [sizeOf(lead), array.shape[axis]]),
    /** @param {Arranged} rows */
    back: (rows) =>
      permute(reshape(rows, [...lead, /** @type {number} */ (rows.shape.at(-1))]), inverse(order)),
  };
}

/** Repeats what has fewer dimensions, or dimensions of 1, as numpy does.
 * @param {string} where @param {Arranged} array @param {readonly number[]} shape
 * @returns {Arranged} */
export function broadcast(where, array, shape) {
  const lead = shape.length - array.shape.length;
  const sizes = array.shape;
  if (lead < 0 || sizes.some((d, i) => d !== 1 && d !== shape[lead + i])) {
    throw unfit(where, sizes, shape);
  }
  if (sizes.length === shape.length && sizes.every((d, i) => d === shape[i])) return array;
  const steps = strides(sizes);
  return copy(array, shape, (i) =>
    cellIndex(shape, i)
      .slice(lead)
      .reduce((offset, index, axis) => offset + (sizes[axis] === 1 ? 0 : index * steps[axis]), 0),
  );
}

/** The shape that several have in common after broadcasting.
 * @param {string} where @param {(readonly number[])[]} shapes */
export function common(where, ...shapes) {
  const rank = Math.max(...shapes.map((shape) => shape.length));
  return Array.from({ length: rank }, (_, i) => {
    const sizes = shapes.map((shape) => shape[shape.length - rank + i] ?? 1);
    const size = sizes.find((d) => d !== 1) ?? 1;
    if (sizes.some((d) => d !== 1 && d !== size)) throw unfit(where, ...shapes);
    return size;
  });
}

/** In the words of the core.
 * @param {string} where @param {(readonly number[])[]} shapes */
export const unfit = (where, ...shapes) =>
  failure('GF_ESHAPE', 'unfit', {
    where,
    shapes: shapes.map((shape) => `[${shape}]`).join(' x '),
  });
