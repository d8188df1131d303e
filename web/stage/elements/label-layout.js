// Moves the names of arrows up or down where they would overlap each other or the handles.

/** @typedef {{ x: number, y: number, anchor: 'start' | 'middle' | 'end', letters: number }} Label */
/** @typedef {{ left: number, right: number, top: number, bottom: number }} Box */

/** Of a letter, and of a line above and below where it stands. */
const [WIDE, ABOVE, BELOW] = [9, 13, 5];

/** @param {Label} label @param {number} scale @returns {Box} */
function boxOf({ x, y, anchor, letters }, scale) {
  const wide = letters * scale * WIDE;
  const left = x - { start: 0, middle: 0.5, end: 1 }[anchor] * wide;
  return { left, right: left + wide, top: y - scale * ABOVE, bottom: y + scale * BELOW };
}

/**
 * @template {Label & { arrow: { moves?: boolean }, tip: readonly [number, number] }} T
 * @param {T[]} labels
 * @param {number} reach of what is held, around its point
 * @param {number} size of the drawing, which names do not leave
 * @param {number} [scale] of the type
 */
export function layOutLabels(labels, reach, size, scale = 1) {
  const taken = labels
    .filter(({ arrow }) => arrow.moves)
    .map(({ tip: [x, y] }) => ({
      left: x - reach,
      right: x + reach,
      top: y - reach,
      bottom: y + reach,
    }));
  return labels.map((named) => {
    const { left, right } = boxOf(named, scale);
    const label = { ...named, x: named.x - Math.min(left, 0) - Math.max(right - size, 0) };
    let { y } = label;
    let way = 0;
    const isOver = (/** @type {Box} */ other) => {
      const { left, right, top, bottom } = boxOf({ ...label, y }, scale);
      const over =
        left < other.right && right > other.left && top < other.bottom && bottom > other.top;
      if (over) way ||= Math.sign(top + bottom - other.top - other.bottom) || 1;
      return over;
    };
    /* Each is passed once, in one direction. */
    for (const _ of taken) {
      const other = taken.find(isOver);
      if (other) y = way < 0 ? other.top - scale * BELOW : other.bottom + scale * ABOVE;
    }
    taken.push(boxOf({ ...label, y }, scale));
    return { ...label, y };
  });
}
