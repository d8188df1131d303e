// What is shown of a matrix that is larger than its room: the page that the cell in question is on.

/** So many places of an axis, from one on. @typedef {{ from: number, count: number }} Span */

/** px of the design: cells that all may have, or, where they cannot, those of a page. */
const MIN_CELL = 2;
const PAGE_CELL = 5;
/** A page has a multiple of this many places. */
const PAGE_STEP = 8;

/**
 * @param {number} count all places
 * @param {number} room px
 * @param {number} place the place in question
 * @param {number} [unit] px of one px of the design
 * @param {number} [least] px of the design: a cell has more, where numbers are to be read
 * @returns {Span}
 */
export function span(count, room, place, unit = 1, least = 0) {
  if (count * Math.max(MIN_CELL, least) * unit <= room) return { from: 0, count };
  const most = Math.floor(room / (Math.max(PAGE_CELL, least) * unit));
  return page(count, Math.max(PAGE_STEP, most - (most % PAGE_STEP)), place);
}

/**
 * The page of a given size that a place is on.
 * @param {number} count
 * @param {number} size
 * @param {number} place
 * @returns {Span}
 */
export function page(count, size, place) {
  const from = Math.floor(Math.min(place, count - 1) / size) * size;
  return { from, count: Math.min(size, count - from) };
}

/**
 * The pages of a product: rows and columns of the result, and the inner ones of its operands.
 * @param {{ rows: number, columns: number, inner: number }} shape
 * @param {{ width: number, height: number }} room px
 * @param {{ row: number, column: number, term: number }} place
 * @param {number} [unit]
 * @param {{ width: number, height: number } | null} [least] px of the design: a cell of the result has more, where its
 *   numbers are to be read
 * @returns {{ rows: Span, columns: Span, inner: Span }}
 */
export function spans({ rows, columns, inner }, { width, height }, place, unit = 1, least = null) {
  const cell = least ?? { width: MIN_CELL, height: MIN_CELL };
  const px = (/** @type {number} */ count, /** @type {number} */ room) =>
    Math.min(count * MIN_CELL * unit, room / 2);
  const across = span(columns, width - px(inner, width), place.column, unit, least?.width);
  const down = span(rows, height - px(inner, height), place.row, unit);
  const left = Math.min(
    width - across.count * cell.width * unit,
    height - down.count * cell.height * unit,
  );
  const factors = least ? PAGE_CELL : MIN_CELL;
  return { rows: down, columns: across, inner: span(inner, left, place.term, unit, factors) };
}
