// The forms of plain data, as types: what may be given, and what comes back for it. A number comes back as a
// number, arrays in arrays as arrays in arrays, a typed array as a Float32Array, { data, shape } as { data, shape }.

/** @typedef {import('../base/values.js').TypedArray} TypedArray */
/** @typedef {import('../base/values.js').NestedNumbers} NestedNumbers */

/** data: numbers, row by row. @typedef {{ data: Float32Array, shape: number[] }} Plain */
/** data: ids, row by row. @typedef {{ data: Int32Array, shape: number[] }} PlainIds */

/** How deep arrays lie in arrays, as a tuple of so many zeros; 0[] if the types do not say, as of { data }.
 * @template V
 * @template {0[]} [D=[]] the levels above, 8 at most
 * @typedef {V extends number | boolean ? [] : V extends ArrayLike<infer E>
 *   ? D extends [0, 0, 0, 0, 0, 0, 0, 0] ? [] : [0, ...Rank<E, [0, ...D]>] : 0[]} Rank */

/** One dimension less.
 * @template {0[]} R
 * @typedef {R extends [0, ...infer S extends 0[]] ? S : 0[]} Less */

/** The longer of two.
 * @template {0[]} A
 * @template {0[]} B
 * @typedef {number extends A['length'] | B['length'] ? 0[] : A extends [...B, ...0[]] ? A : B} Longer */

/** Numbers in arrays of so many levels.
 * @template {0[]} R
 * @typedef {number extends R['length'] ? NestedNumbers
 *   : R extends [0, ...infer S extends 0[]] ? InArrays<S>[] : number} InArrays */

/** Numbers of another rank in the form of V. Of a typed array that is a number, a Float32Array or, where it
 * has several dimensions, { data, shape }.
 * @template V
 * @template {0[]} R
 * @typedef {V extends { data: unknown } ? Plain : V extends TypedArray ? number extends R['length']
 *   ? Float32Array | Plain : R extends [] ? number : R extends [0] ? Float32Array : Plain : InArrays<R>} Form */

/** Numbers in the form of V, and as many dimensions.
 * @template V
 * @typedef {V extends { data: unknown } ? Plain : V extends TypedArray ? Float32Array
 *   : InArrays<Rank<V>>} Like */

/** Ids in the form of V.
 * @template V
 * @typedef {V extends { data: unknown } ? PlainIds : V extends TypedArray ? Int32Array
 *   : InArrays<Rank<V>>} LikeIds */

/** A product as numpy has it: of a vector there is no dimension, of what is larger all but one.
 * @template A
 * @template B
 * @typedef {Rank<A> extends [0] ? Rank<B> extends [0] ? Form<A, []> : Form<A, Less<Rank<B>>>
 *   : Rank<B> extends [0] ? Form<A, Less<Rank<A>>> : Form<A, Longer<Rank<A>, Rank<B>>>} Multiplied */

/** What a reduction leaves: one number for each row, or one.
 * @template V
 * @template R
 * @typedef {R extends 'none' ? Form<V, Less<Rank<V>>> : Form<V, []>} Reduced */

/** What is left of the axes A.
 * @template V
 * @template A
 * @template K whether they stay, as dimensions of 1
 * @typedef {K extends true ? Like<V> : A extends number ? Form<V, Less<Rank<V>>>
 *   : A extends readonly number[] ? Form<V, 0[]> | Form<V, []> : Form<V, []>} Summed */

/** Scores of H heads: of a single sequence there is no batch, of a single head in it no dimension of heads.
 * @template V
 * @template H
 * @typedef {Rank<V> extends [0, 0] ? H extends 1 ? Form<V, [0, 0]>
 *   : Form<V, number extends H ? [0, 0] | [0, 0, 0] : [0, 0, 0]> : Form<V, [0, 0, 0, 0]>} Scores */

export {};
