// A matrix folds over its diagonal into its transpose: seen from above, each cell goes straight to its mirror image.
// It takes the room that the transpose has, so that it stays on the stage.
import { block } from './block.js';
import { around, between, during } from './boxes.js';

/** Of more cells no numbers could be followed: the matrix folds as one picture. */
const MAX_CELLS = 256;

/** @type {import('./index.js').Motion} */
export function fold({ panels, progress }) {
  const [panel] = panels(1);
  /* On a narrow screen one column of the transpose is shown, which is a row as it was before. */
  if (!panel || panel.rows === 1) return [];
  const { cells, rows, columns } = panel;
  const folded = during(progress, 0.2, 0.8);
  const whole = around(cells.map(({ box }) => box));
  const cover = /** @type {const} */ ({ key: 'cover', look: 'cover', size: whole, opacity: 1 });
  /** Of the matrix as it was, at the row and column that its cell has in the transpose. */
  const upright = (/** @type {number} */ row, /** @type {number} */ column) => ({
    left: whole.left + (row * whole.width) / rows,
    top: whole.top + (column * whole.height) / columns,
    width: whole.width / rows,
    height: whole.height / columns,
  });
  if (cells.length > MAX_CELLS) {
    const turned = Array.from({ length: cells.length }, (_, i) => {
      const [row, column] = [i % rows, Math.floor(i / rows)];
      return cells[row * columns + column];
    });
    const before = { cells: turned, rows: columns, columns: rows };
    return [{ ...cover, box: whole }, block('all', before, { box: whole, opacity: 1, folded })];
  }
  const copies = cells.map(({ cell, box }, i) => {
    const now = between(upright(Math.floor(i / columns), i % columns), box, folded);
    return { key: `cell ${i}`, of: cell, value: cell.value, box: now, size: box, opacity: 1 };
  });
  return [{ ...cover, box: whole }, ...copies];
}
