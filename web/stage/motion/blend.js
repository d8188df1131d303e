// The rows of a matrix, scaled by weights that are 1 in all, are stacked: they fill one row.
import { block, boxOf, part } from './block.js';
import { between, during } from './boxes.js';

/** Of more rows none could be followed. */
const MAX_ROWS = 64;
/** Weights are 1 in all but for rounding, unless what makes them so is removed. */
const ROUNDING = 1e-3;

/** px between a weight and the row that it scales */
const GAP = 6;

/** @type {import('./index.js').Motion} */
export function blend({ panels, progress }) {
  const [weights, rows, result] = [panels(0)[0], panels(1)[0], panels(-1)[0]];
  if (!weights || !rows || !result || rows.rows > MAX_ROWS) return [];
  const first = { from: 0, count: 1 };
  const firstWeights = part(weights, first);
  const total = firstWeights.cells.reduce((sum, { cell }) => sum + cell.value, 0);
  const isWhole =
    firstWeights.cells.every(({ cell }) => cell.value >= 0) && Math.abs(total - 1) < ROUNDING;
  const fits = rows.rows === firstWeights.columns && rows.columns === result.columns;
  if (!isWhole || !fits) return [];
  const target = boxOf(part(result, first));
  const come = during(progress, 0, 0.3);
  const scaled = during(progress, 0.35, 0.55);
  const stacked = during(progress, 0.6, 0.85);
  const rest = 1 - during(progress, 0.92, 1);
  let under = 0;
  return firstWeights.cells.flatMap(({ cell, box: from }, k) => {
    const { value } = cell;
    const before = under;
    under += value;
    const row = part(rows, { from: k, count: 1 });
    const box = boxOf(row);
    /* Along the lower edge of its row, whose numbers are still to be read. */
    const thin = {
      ...box,
      top: box.top + box.height * (1 - value),
      height: box.height * value,
    };
    const place = {
      ...target,
      top: target.top + target.height * before,
      height: target.height * value,
    };
    const way = between(between(box, thin, scaled), place, stacked);
    const size = row.cells[0].box;
    const left = Math.max(0, size.left - size.width - GAP);
    return [
      block(`row ${k}`, row, { box: way, size: box, opacity: Math.min(scaled, rest) }),
      {
        key: `weight ${k}`,
        of: cell,
        value,
        sign: '×',
        box: between(from, { ...size, left }, come),
        size,
        opacity: 1 - scaled,
      },
    ];
  });
}
