// A matrix folds over its diagonal into its transpose: seen from above, each cell goes straight to its mirror image.
import { around, between, during } from './boxes.js';

/** Of larger matrices nothing could be followed. */
export const MANY = 256;

/** @type {import('./index.js').Motion} */
export function fold({ cells, progress }) {
  const shown = cells(1);
  const whole = around(shown.map(({ box }) => box));
  /* On a narrow screen one column of the transpose is shown, which is a row as it was before. */
  const isRow = whole.height === shown[0]?.box.height;
  if (shown.length > MANY || isRow) return [];
  const folded = during(progress, 0.2, 0.8);
  const copies = shown.map(({ cell, box }, at) => {
    const upright = {
      ...box,
      left: whole.left + ((box.top - whole.top) / box.height) * box.width,
      top: whole.top + ((box.left - whole.left) / box.width) * box.height,
    };
    const now = between(upright, box, folded);
    return { key: `cell ${at}`, of: cell, value: cell.value, box: now, size: box, opacity: 1 };
  });
  const cover = /** @type {const} */ ({ key: 'cover', look: 'cover', size: whole, opacity: 1 });
  return [{ ...cover, box: whole }, ...copies];
}
