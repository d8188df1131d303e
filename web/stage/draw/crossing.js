// The crossing layout: row operand at the left, column operand above, the result where they cross.
// Pure arithmetic: how large each cell may be so that all three fit, and how a cell is then drawn.

/** Cells from this size on show three digits, from the other one on as many as fit; smaller ones show only their
 * colour. */
const NUMBER = { width: 50, height: 28 };
export const SHORT = { width: 32, height: 17 };

/** Widths and heights that cells like to have, from the largest on. */
const USUAL = {
  widths: [144, 128, 112, 100, 92, 84, 76, 68, 60, 54, NUMBER.width, 42, 36, SHORT.width],
  heights: [72, 64, 54, 48, 44, 40, 36, 32, NUMBER.height, 24, 20, SHORT.height],
};
/** On a narrow screen rows are low, so that more of them are seen. */
export const LOW = { ...USUAL, heights: USUAL.heights.filter((height) => height <= 36) };
/** @param {number} most @param {number} least */
const down = (most, least) => Array.from({ length: most - least + 1 }, (_, i) => most - i);
/** On a slide they fill the room. */
export const FILLING = { widths: down(112, SHORT.width), heights: down(72, SHORT.height) };
const MAX_COLOUR_CELL = 13;
const MIN_CELL = 2;

/** @typedef {'numbers' | 'short' | 'colours'} Mode */
/** @typedef {{ width: number, height: number, mode: Mode }} Size */
/** @typedef {typeof USUAL} Liked */

/**
 * @param {number} width
 * @param {number} height
 * @param {number} unit the size of one px of the design on this screen
 * @returns {Size}
 */
export function size(width, height, unit = 1) {
  const fits = (/** @type {{width: number, height: number}} */ least) =>
    width >= least.width * unit && height >= least.height * unit;
  return { width, height, mode: fits(NUMBER) ? 'numbers' : fits(SHORT) ? 'short' : 'colours' };
}

/**
 * Sizes of the cells along one direction: `shared` cells belong to the result and to the operand
 * that lines up with it, `inner` cells to the other operand.
 * @param {number} shared how many cells of the result
 * @param {number} inner how many cells of the operand beside it, 0 for none
 * @param {number} room px
 * @param {number[]} sizes px of the design, largest first
 * @param {number} unit
 */
function along(shared, inner, room, sizes, unit) {
  const tiers = sizes.map((size) => size * unit);
  for (const tier of tiers)
    if ((shared + inner) * tier <= room) return { shared: tier, inner: tier };
  for (const least of inner > 0 ? [9, 6, 3] : []) {
    for (const tier of tiers) {
      const left = Math.floor(((room - shared * tier) / inner) * 2) / 2;
      if (left >= least) return { shared: tier, inner: Math.min(left, MAX_COLOUR_CELL * unit) };
    }
  }
  const half = (/** @type {number} */ px) => Math.floor(px * 2) / 2;
  const most = MAX_COLOUR_CELL * unit;
  const each = Math.max(MIN_CELL, Math.min(most, half(room / (shared + inner))));
  /* A few rows beside many are worth more than their part of the room. */
  const few = half(Math.min(most, room / 4 / shared, (room - MIN_CELL * inner) / shared));
  if (few <= each) return { shared: each, inner: each };
  return { shared: few, inner: Math.max(MIN_CELL, half((room - few * shared) / inner)) };
}

/**
 * Cell sizes of the crossing of a [rows, inner] with a [inner, columns].
 * @param {{ rows: number, columns: number, inner: number, left?: number }} shape left: how many cells
 * stand at the left of the result, 0 where the row operand lies above it too
 * @param {{ width: number, height: number }} room px for cells alone
 * @param {number} [unit]
 * @param {Liked} [liked]
 */
export function crossing({ rows, columns, inner, left = inner }, room, unit = 1, liked = USUAL) {
  const x = along(columns, left, room.width, liked.widths, unit);
  const y = along(rows, inner, room.height, liked.heights, unit);
  return {
    left: size(x.inner, y.shared, unit),
    above: size(x.shared, y.inner, unit),
    result: size(x.shared, y.shared, unit),
  };
}

/**
 * Cell size of a matrix alone.
 * @param {{ rows: number, columns: number }} shape
 * @param {{ width: number, height: number }} room px for cells alone
 * @param {number} [unit]
 * @param {Liked} [liked]
 */
export function cellSize({ rows, columns }, room, unit = 1, liked = USUAL) {
  const width = along(columns, 0, room.width, liked.widths, unit).shared;
  return size(width, along(rows, 0, room.height, liked.heights, unit).shared, unit);
}

/**
 * Cell size of several matrices one after the other, beside each other or, where that makes the
 * cells larger or nothing else fits, below each other.
 * @param {{ rows: number, columns: number }[]} shapes
 * @param {{ width: number, height: number }} room px, the arrows between them included
 * @param {{ width: number, height: number, name: number, spare?: number }} arrow px; if they stand
 *   below each other, name is the room beside a matrix for its name, and spare what needs no room then
 * @param {number} [unit]
 * @param {boolean} [below] whether they stand below each other anyhow, if the numbers stay readable
 * @param {Liked} [liked]
 */
export function flow(shapes, room, arrow, unit = 1, below = false, liked = USUAL) {
  const sum = (/** @type {number[]} */ counts) => counts.reduce((a, b) => a + b, 0);
  const rows = shapes.map((shape) => shape.rows);
  const columns = shapes.map((shape) => shape.columns);
  const between = shapes.length - 1;
  const across = cellSize(
    { rows: Math.max(...rows), columns: sum(columns) },
    { width: room.width - between * arrow.width, height: room.height },
    unit,
    liked,
  );
  const down = cellSize(
    { rows: sum(rows), columns: Math.max(...columns) },
    {
      width: room.width + (arrow.spare ?? 0) - arrow.name,
      height: room.height - between * arrow.height,
    },
    unit,
    liked,
  );
  const rank = { numbers: 2, short: 1, colours: 0 };
  const larger = down.width * down.height > 1.3 * across.width * across.height;
  const fits = across.width * sum(columns) <= room.width - between * arrow.width;
  const better =
    !fits ||
    (below && rank[down.mode] >= rank[across.mode]) ||
    rank[down.mode] > rank[across.mode] ||
    (down.mode === across.mode && down.mode !== 'numbers' && larger);
  return better ? { down: true, size: down } : { down: false, size: across };
}
