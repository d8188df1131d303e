// Moving and choosing numbers.

import {
  checkFinite,
  checkInt32,
  checkInteger,
  failure,
  rangeError,
  readOptions,
} from '../base/errors.js';
import { checkShape, INT32, sizeOf } from '../base/values.js';
import { broadcast, checkAxis, common, permute, reshape, sizeFor } from './layout.js';
import { answer, ids, mask, values, valuesOrNumber } from './read.js';
import { apply, call } from './run.js';

/** @typedef {import('../runtime/engine.js').Engine} Engine */
/** @typedef {import('../base/values.js').Values} Values */
/** @typedef {import('./read.js').Operand} Operand */
/** @typedef {import('../base/values.js').Mask} Mask */
/** @template V @typedef {import('./forms.js').Like<V>} Like */
/** @template V @template {0[]} R @typedef {import('./forms.js').Form<V, R>} Form */
/** @template V @typedef {import('./forms.js').Rank<V>} Rank */
/** @template {0[]} R @typedef {import('./forms.js').Less<R>} Less */
/** @template {0[]} A @template {0[]} B @typedef {import('./forms.js').Longer<A, B>} Longer */

/** @type {Record<string, import('../base/errors.js').Rule>} */
const ONE_HOT = { axis: null, on: [checkFinite], off: [checkFinite] };

/** What lies before an axis, along it, and behind it.
 * @param {readonly number[]} shape @param {number} axis */
const sizesAround = (shape, axis) => [
  sizeOf(shape.slice(0, axis)),
  shape[axis],
  sizeOf(shape.slice(axis + 1)),
];

/** Zeroes the cells of each matrix on one side of its diagonal number k.
 * @template V
 * @param {string} where @param {V} input @param {unknown} k
 * @param {(column: number, diagonal: number) => boolean} keep
 * @returns {Like<V>} */
function triangle(where, input, k, keep) {
  const x = values(`${where}: x`, input);
  const shift = checkInt32(`${where}: k`, k);
  if (x.shape.length < 2) {
    throw rangeError('matrices', { where: `${where}: x`, shape: x.shape });
  }
  const [height, width] = x.shape.slice(-2);
  const data = x.data.map((value, i) =>
    keep(i % width, (Math.floor(i / width) % height) + shift) ? value : 0,
  );
  return answer(x, { data, shape: x.shape });
}

/** @param {Engine} engine */
export const moving = (engine) => ({
  /** table[ids[i]]
   * @template {Values} V
   * @template {Values} I
   * @param {V} table @param {I} rows the ids
   * @returns {Form<V, [...Rank<I>, 0]>}
   * @example
   * gf.embed([[1, 2], [3, 4]], [1, 0]); // = [[3, 4], [1, 2]] */
  embed: (table, rows) => apply(engine, 'embed', { table, ids: rows }),

  /** x[.., ids[i], ..] along an axis; a negative id counts from the end.
   * @template {Values} V
   * @template {Values} I
   * @param {V} x @param {I} indices @param {number} [axis] 0 by default
   * @returns {Form<V, [...Less<Rank<V>>, ...Rank<I>]>}
   * @example
   * gf.gather([10, 20, 30], [-1, 0]); // = [30, 10] */
  gather(x, indices, axis = 0) {
    const array = values('gather: x', x);
    const places = ids('gather: ids', indices);
    const along = checkAxis('gather', axis, array.shape.length);
    const [outer, count, inner] = sizesAround(array.shape, along);
    const wrong = places.data.findIndex((id) => id < -count || id >= count);
    if (wrong >= 0) {
      throw failure('GF_EID', 'indexFromEnd', {
        ...{ where: 'gather', at: wrong, id: places.data[wrong] },
        ...{ low: -count, last: count - 1 },
      });
    }
    const operands = {
      x: reshape(array, [outer, count, inner]),
      ids: {
        data: places.data.map((id) => (id < 0 ? id + count : id)),
        shape: [places.data.length],
      },
    };
    const shape = array.shape.toSpliced(along, 1, ...places.shape);
    return answer(array, reshape(call(engine, 'gather', operands, 1), shape));
  },

  /** Axis i of the result is axis order[i] of x; by default they are reversed.
   * @template {Values} V
   * @param {V} x @param {number[]} [order]
   * @returns {Like<V>}
   * @example
   * gf.transpose([[1, 2, 3]], [1, 0]); // = [[1], [2], [3]] */
  transpose(x, order) {
    const array = values('transpose: x', x);
    const rank = array.shape.length;
    if (order === undefined)
      return answer(array, permute(array, [...array.shape.keys()].reverse()));
    const axes = checkShape('transpose: order', order).map((axis) =>
      checkAxis('transpose', axis, rank),
    );
    if (axes.length !== rank || new Set(axes).size !== rank) {
      throw rangeError('axesOnce', { where: 'transpose: order', shape: array.shape, axes: order });
    }
    return answer(array, permute(array, axes));
  },

  /** a, then b, along an axis.
   * @template {Values} V
   * @param {V} a @param {Values} b @param {number} [axis] 0 by default
   * @returns {Like<V>}
   * @example
   * gf.concat([[1]], [[2]], 1); // = [[1, 2]] */
  concat(a, b, axis = 0) {
    const operands = { a: values('concat: a', a), b: values('concat: b', b) };
    const along = checkAxis('concat', axis, operands.a.shape.length);
    return answer(operands.a, call(engine, 'concat', operands, along));
  },

  /** x where the condition is true (or not 0), y elsewhere; all three repeat as needed.
   * @template {Mask} V
   * @template {Values | number} X
   * @template {Values | number} Y
   * @param {V} condition @param {X} x @param {Y} y
   * @returns {Form<V, Longer<Rank<V>, Longer<Rank<X>, Rank<Y>>>>} in the form of the condition
   * @example
   * gf.where([true, false], [1, 2], 0); // = [1, 0] */
  where(condition, x, y) {
    const chosen = mask('where: condition', condition);
    const [yes, no] = [valuesOrNumber('where: x', x), valuesOrNumber('where: y', y)];
    const shape = common('where', chosen.shape, yes.shape, no.shape);
    const [c, a, b] = [chosen, yes, no].map((array) => broadcast('where', array, shape).data);
    return answer(chosen, { data: Float32Array.from(c, (keep, i) => (keep ? a[i] : b[i])), shape });
  },

  /** The lower triangle of each matrix, with k diagonals more; the rest is 0.
   * @template {Values} V
   * @param {V} x @param {number} [k] 0 by default
   * @returns {Like<V>}
   * @example
   * gf.tril([[1, 2], [3, 4]]); // = [[1, 0], [3, 4]] */
  tril: (x, k = 0) => triangle('tril', x, k, (column, diagonal) => column <= diagonal),

  /** The upper triangle of each matrix, from the diagonal number k on; the rest is 0.
   * @template {Values} V
   * @param {V} x @param {number} [k] 0 by default
   * @returns {Like<V>}
   * @example
   * gf.triu([[1, 2], [3, 4]], 1); // = [[0, 2], [0, 0]] */
  triu: (x, k = 0) => triangle('triu', x, k, (column, diagonal) => column >= diagonal),

  /** `on` at each id of a new axis of the length depth, `off` elsewhere. A negative id counts from the
   * end; one beyond the depth is nowhere.
   * @template {Values} V
   * @param {V} indices @param {number} depth
   * @param {{ axis?: number, on?: number, off?: number }} [options] axis -1, on 1, off 0 by default
   * @returns {Form<V, [0, ...Rank<V>]>}
   * @example
   * gf.oneHot([2, 0], 3); // = [[0, 0, 1], [1, 0, 0]] */
  oneHot(indices, depth, options = {}) {
    const { axis = -1, on = 1, off = 0 } = readOptions('oneHot', options, ONE_HOT);
    checkInteger('oneHot: depth', depth, 1, INT32);
    const places = ids('oneHot: ids', indices);
    const along = checkAxis('oneHot', axis, places.shape.length + 1);
    const shape = places.shape.toSpliced(along, 0, depth);
    const [, , inner] = sizesAround(shape, along);
    const data = new Float32Array(sizeFor('oneHot', shape)).fill(off);
    places.data.forEach((id, i) => {
      const place = id < 0 ? id + depth : id;
      if (place < 0 || place >= depth) return;
      data[(Math.floor(i / inner) * depth + place) * inner + (i % inner)] = on;
    });
    return answer(places, { data, shape });
  },

  /** [...,T,H*D] -> [...,H,T,D]
   * @template {Values} V
   * @param {V} x @param {number} heads
   * @returns {Form<V, [0, ...Rank<V>]>}
   * @example
   * gf.splitHeads([[1, 2, 3, 4]], 2); // = [[[1, 2]], [[3, 4]]] */
  splitHeads: (x, heads) => apply(engine, 'splitHeads', { x }, heads),

  /** [...,H,T,D] -> [...,T,H*D]
   * @template {Values} V
   * @param {V} x
   * @returns {Form<V, Less<Rank<V>>>}
   * @example
   * gf.concatHeads([[[1, 2]], [[3, 4]]]); // = [[1, 2, 3, 4]] */
  concatHeads: (x) => apply(engine, 'concatHeads', { x }),
});
