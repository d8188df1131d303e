// Two directions that rows are looked at along: two of their channels, or those in which they differ the most.

/** @typedef {readonly [number[], number[]]} Basis two directions, each of length 1, at right angles */

/** @param {readonly number[]} a @param {readonly number[]} b */
const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);

/** @param {number[]} row */
const unit = (row) => {
  const length = Math.sqrt(dot(row, row)) || 1;
  return row.map((x) => x / length);
};

/**
 * @param {number} width of the rows
 * @param {readonly number[]} channels two of them
 * @returns {Basis}
 */
export function ofChannels(width, [a, b]) {
  const along = (/** @type {number} */ channel) =>
    Array.from({ length: width }, (_, i) => Number(i === channel));
  return [along(a), along(b)];
}

/** Turns until the directions stand still: they come nearer by the ratio of two eigenvalues each time. */
const TURNS = 500;

/**
 * The first two principal directions of rows, as arrows from the origin: the most of their squared length lies in them.
 * @param {readonly (readonly number[])[]} rows
 * @returns {Basis}
 */
export function principal(rows) {
  const width = rows[0].length;
  /** @param {number[]} start @param {number[]} [other] which the direction is at right angles to */
  const direction = (start, other) => {
    const free = (/** @type {number[]} */ row) => {
      const part = other ? dot(row, other) : 0;
      return row.map((x, i) => x - part * (other?.[i] ?? 0));
    };
    let along = unit(free(start));
    for (let turn = 0; turn < TURNS; turn++) {
      const next = Array.from({ length: width }, (_, i) =>
        rows.reduce((sum, row) => sum + dot(row, along) * row[i], 0),
      );
      /* Rows on one line leave nothing to turn to. */
      if (dot(free(next), free(next)) < 1e-20) break;
      along = unit(free(next));
    }
    /* Of the two ways along it, the one with the larger part upwards. */
    const most = along.reduce((best, x) => (Math.abs(x) > Math.abs(best) ? x : best), 0);
    return most < 0 ? along.map((x) => -x) : along;
  };
  const start = (/** @type {number} */ shift) =>
    Array.from({ length: width }, (_, i) => 1 / (1 + ((i + shift) % width)));
  const first = direction(start(0));
  return [first, direction(start(1), first)];
}

/** Where a row lies in the plane of two directions. @param {Basis} basis @param {readonly number[]} row */
export const placeIn = ([a, b], row) => [dot(row, a), dot(row, b)];

/**
 * The row that lies elsewhere in the plane, and otherwise as before.
 * @param {Basis} basis @param {readonly number[]} row @param {readonly number[]} to
 */
export function movedTo(basis, row, to) {
  const [x, y] = placeIn(basis, row);
  return row.map((value, i) => value + (to[0] - x) * basis[0][i] + (to[1] - y) * basis[1][i]);
}
