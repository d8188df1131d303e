// Where a number of a tensor lies: [row, column], or [head, row, column] if there are heads.

/** @typedef {{ node: string, index: number[] }} Cell */

/**
 * @param {readonly number[]} shape
 * @param {readonly number[]} index
 */
export function offset(shape, index) {
  return index.reduce((flat, i, axis) => flat * shape[axis] + i, 0);
}

/**
 * @param {readonly number[]} shape
 * @param {number} flat
 */
export function indexAt(shape, flat) {
  const index = new Array(shape.length);
  let rest = flat;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    index[axis] = rest % shape[axis];
    rest = Math.floor(rest / shape[axis]);
  }
  return index;
}

/**
 * Whether there is a cell [i, j, ...] in a tensor.
 * @param {readonly number[]} shape
 * @param {readonly number[]} index
 */
export const inside = (shape, index) =>
  index.length === shape.length && index.every((i, axis) => i < shape[axis]);

/**
 * A tensor as matrices: how many, and of what size. A vector is one row... of ids, one column.
 * @param {readonly number[]} shape
 * @param {boolean} [upright] a vector is a column
 */
export function matrices(shape, upright = false) {
  if (shape.length === 1) {
    return upright
      ? { count: 1, rows: shape[0], columns: 1 }
      : { count: 1, rows: 1, columns: shape[0] };
  }
  const [rows, columns] = shape.slice(-2);
  return { count: shape.slice(0, -2).reduce((a, b) => a * b, 1), rows, columns };
}

/**
 * @param {Cell | null | undefined} a
 * @param {Cell | null | undefined} b
 */
export function sameCell(a, b) {
  if (a?.node !== b?.node || a?.index.length !== b?.index.length) return false;
  return a?.index.every((i, axis) => i === b?.index[axis]) ?? false;
}

/**
 * 'scores:1,0', the short name of a cell in links.
 * @param {Cell} cell
 */
export const cellKey = ({ node, index }) => `${node}:${index.join()}`;

/** How many numbers a step has. @param {import('../../app/session.js').Step} step */
export const sizeOf = (step) => step.stored?.size ?? step.data.length;

/**
 * One of them, by its place among all: of a parameter that is stored in few bits it alone is made.
 * @param {import('../../app/session.js').Step} step
 * @param {number} flat
 */
export const numberAt = (step, flat) => (step.stored ? step.stored.at(flat) : step.data[flat]);

/** Whether it is no number that a colour can stand for: float32 could not hold it, or what it was computed from. −∞ is
 * left out, which masks write. @param {number} value */
export const isBroken = (value) => Number.isNaN(value) || value === Number.POSITIVE_INFINITY;

/**
 * @param {string} key
 * @returns {Cell | null}
 */
export function parseCell(key) {
  const match = /^([\w.]{1,200}):(\d{1,9}(?:,\d{1,9}){0,3})$/.exec(key);
  return match && { node: match[1], index: match[2].split(',').map(Number) };
}
