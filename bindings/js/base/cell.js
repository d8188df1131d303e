// A cell by its index, and the sentences of errors about it.

import { sentences, show, shown } from './errors.js';
import { MAX_DEPTH } from './values.js';

export const TEXTS = /** @type {const} */ ({
  indexInto: 'expected an index into {shape}, received {index}',
  noCell: '{index} is not a cell of {shape}',
});

/* Not taken apart, so that a bundle without flatIndex leaves it out. */
const cells = /* @__PURE__ */ sentences(TEXTS);

/** An index as a message shows it, whatever stands in it.
 * @param {unknown[]} index */
const written = (index) => `[${index.map((i) => (Object(i) === i ? show(i) : String(i)))}]`;

/** Where the cell [i, j, ...] lies in row-major data.
 * @param {string} where @param {readonly number[]} shape @param {unknown} index
 * @returns {number} */
export function flatIndex(where, shape, index) {
  if (!Array.isArray(index))
    throw cells.rangeError('indexInto', { where, shape, index: shown(index) });
  if (index.length !== shape.length) {
    const received = index.length > MAX_DEPTH ? shown(index) : written(index);
    throw cells.rangeError('indexInto', { where, shape, index: received });
  }
  return index.reduce((offset, i, axis) => {
    if (!Number.isInteger(i) || i < 0 || i >= shape[axis]) {
      throw cells.rangeError('noCell', { where, shape, index: written(index) });
    }
    return offset * shape[axis] + i;
  }, 0);
}
