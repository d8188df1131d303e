// Boxes, boxes between boxes, and progress with ease.

/** px in the coordinates of the figure. @typedef {{ left: number, top: number, width: number, height: number }} Box */

/**
 * @param {Box} from
 * @param {Box} to
 * @param {number} part 0 to 1
 * @returns {Box}
 */
export function between(from, to, part) {
  const mix = (/** @type {keyof Box} */ side) => from[side] + (to[side] - from[side]) * part;
  return { left: mix('left'), top: mix('top'), width: mix('width'), height: mix('height') };
}

/** @param {Box} box @param {number} right @param {number} down in px */
export const moved = (box, right, down) => ({
  ...box,
  left: box.left + right,
  top: box.top + down,
});

/**
 * How much of the part of a moment from `begin` to `end` is over, slow at both ends.
 * @param {number} progress of the moment
 * @param {number} begin
 * @param {number} end
 */
export function during(progress, begin, end) {
  const part = Math.max(0, Math.min(1, (progress - begin) / (end - begin)));
  return part * part * (3 - 2 * part);
}

/** px between a box and the one beside it */
const GAP = 4;

/**
 * The place beside a box, of its size, where one arrives that comes from another.
 * @param {Box} box
 * @param {Box} from
 */
export function beside(box, from) {
  const right = from.left + from.width / 2 - box.left - box.width / 2;
  const down = from.top + from.height / 2 - box.top - box.height / 2;
  return Math.abs(right) > Math.abs(down)
    ? moved(box, Math.sign(right) * (box.width + GAP), 0)
    : moved(box, 0, Math.sign(down) * (box.height + GAP));
}

/** The smallest box around some. @param {Box[]} boxes @returns {Box} */
export function around(boxes) {
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const right = Math.max(...boxes.map((box) => box.left + box.width));
  const bottom = Math.max(...boxes.map((box) => box.top + box.height));
  return { left, top, width: right - left, height: bottom - top };
}

/** Columns that stand on a line, each of a height, up or, below zero, down.
 * @param {Box} cell whose column it stands in
 * @param {number} line px from the top
 * @param {number} height
 * @returns {Box} */
export const bar = (cell, line, height) => ({
  left: cell.left + cell.width * 0.2,
  width: cell.width * 0.6,
  top: line - Math.max(0, height),
  height: Math.max(2, Math.abs(height)),
});
