// The numbers that all players compute with. native.c makes the same by itself.

/** @typedef {import('../../../bindings/js/glassformer.js').Glassformer} Glassformer */

const SEED = 1;

/** Uniform between -1 and 1. @param {Glassformer} gf @param {number[]} shape @param {number} stream */
export const uniform = (gf, shape, stream) =>
  gf.uniform(shape, { seed: SEED, stream, low: -1, high: 1 });

/** Ids below `vocab`. @param {Glassformer} gf @param {number} count @param {number} vocab
 * @param {number} stream */
export const tokens = (gf, count, vocab, stream) =>
  Array.from(gf.uniform([count], { seed: SEED, stream, low: 0, high: vocab }).data, Math.trunc);

/** A list in rows of so many. @template T @param {ArrayLike<T>} list @param {number} width */
export const rowsOf = (list, width) =>
  Array.from({ length: list.length / width }, (_, row) =>
    Array.from({ length: width }, (_, i) => list[row * width + i]),
  );
