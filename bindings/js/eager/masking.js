// Masks of attention, brought into a form that the core takes.

import { checkInt32, rangeError } from '../base/errors.js';
import { isGiven, isList } from '../base/values.js';
import { broadcast, common, copy } from './layout.js';
import { ids, mask as readMask } from './read.js';

/** @typedef {import('../base/values.js').Values} Values */
/** @typedef {import('../base/values.js').Mask} Mask */
/** @typedef {import('./read.js').Arranged} Arranged */

/**
 * @typedef {object} MaskValues
 * @property {boolean} [causal] query i sees key j only if j <= i + offset
 * @property {Mask | null} [mask] booleans (or a typed array of integers): true keeps, false masks;
 *   numbers are added to the scores
 * @property {Values | null} [lengths] one per first index of x: keys from there on are padding
 */

/** mask and lengths, as far as they are given.
 * @param {string} where @param {MaskValues} options
 * @returns {{ mask?: Arranged, lengths?: Arranged }} */
export function maskOperands(where, options) {
  const { mask, lengths } = options;
  return {
    mask: isGiven(mask) ? readMask(`${where}: mask`, mask) : undefined,
    lengths: isGiven(lengths) ? ids(`${where}: lengths`, lengths) : undefined,
  };
}

/** Widens a mask to all keys: keys that it does not reach are masked; a mask of a single key holds for all.
 * @param {Arranged} mask @param {number} keys */
export function pad(mask, keys) {
  const width = mask.shape.at(-1) ?? 1;
  if (width === 1 || width >= keys) return mask;
  const shape = [...mask.shape.slice(0, -1), keys];
  const wide = copy(
    mask,
    shape,
    (i) => Math.floor(i / keys) * width + Math.min(i % keys, width - 1),
  );
  const masked = mask.data instanceof Int32Array ? 0 : Number.NEGATIVE_INFINITY;
  for (let i = 0; i < wide.data.length; i++) if (i % keys >= width) wide.data[i] = masked;
  return wide;
}

/** What the core's causal cannot say: an offset for each entry of a batch, or one below 0.
 * @param {readonly number[]} offsets one for each entry, or one @param {number} queries
 * @param {number} keys
 * @returns {Arranged} ids [B,1,queries,keys] */
function causalMask(offsets, queries, keys) {
  const size = queries * keys;
  const data = Int32Array.from({ length: offsets.length * size }, (_, i) => {
    const query = Math.floor(i / keys) % queries;
    return Number(i % keys <= query + offsets[Math.floor(i / size)]);
  });
  return { data, shape: [offsets.length, 1, queries, keys] };
}

/** What one mask keeps of another.
 * @param {Arranged} mask @param {Arranged} kept ids
 * @returns {Arranged} */
function combined(mask, kept) {
  const shape = common('attention: mask', mask.shape, kept.shape);
  const keep = broadcast('attention: mask', kept, shape).data;
  const full = broadcast('attention: mask', mask, shape).data;
  const masked = full instanceof Int32Array ? 0 : Number.NEGATIVE_INFINITY;
  return { data: full.map((value, i) => (keep[i] ? value : masked)), shape };
}

/** @param {unknown} offset @param {number} batch
 * @returns {number[]} */
function checkOffset(offset, batch) {
  if (typeof offset !== 'object' || !offset) return [checkInt32('attention: offset', offset)];
  if (!isList(offset) || offset.length !== batch) {
    throw rangeError('offsets', { where: 'attention: offset', batch, given: offset });
  }
  return Array.from(offset, (one) => checkInt32('attention: offset', one));
}

/** The mask and the options for the core.
 * @param {{ mask?: Arranged, causal: boolean, offset: unknown }} given
 * @param {{ batch: number, queries: number, keys: number }} sizes
 * @returns {{ mask?: Arranged, causal: boolean, offset: number }} */
export function coreMask({ mask, causal, offset }, { batch, queries, keys }) {
  const offsets = checkOffset(offset, batch);
  const wide = mask && pad(mask, keys);
  if (!causal) return { mask: wide, causal, offset: 0 };
  if (offsets.length === 1 && offsets[0] >= 0) return { mask: wide, causal, offset: offsets[0] };
  const kept = causalMask(offsets, queries, keys);
  return { mask: wide ? combined(wide, kept) : kept, causal: false, offset: 0 };
}
