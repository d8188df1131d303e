// The rows of a matrix, scaled by weights that are 1 in all, are stacked: they fill one row.
import { between, during } from './boxes.js';
import { MANY } from './fold.js';

/** @type {import('./index.js').Motion} */
export function blend({ cells, progress }) {
  const [weights, rows, result] = [firstRow(cells(0)), cells(1), firstRow(cells(-1))];
  const width = result.length;
  if (rows.length > MANY || rows.length !== weights.length * width) return [];
  const come = during(progress, 0, 0.3);
  const scaled = during(progress, 0.35, 0.55);
  const stacked = during(progress, 0.6, 0.85);
  const rest = 1 - during(progress, 0.92, 1);
  let under = 0;
  return weights.flatMap(({ cell, box: from }, k) => {
    const { value } = cell;
    const before = under;
    under += value;
    const row = rows.slice(k * width, (k + 1) * width);
    const strips = row.map(({ cell: of, box }, column) => {
      const { left, top, width: across, height } = result[column].box;
      const thin = {
        ...box,
        top: box.top + (box.height * (1 - value)) / 2,
        height: box.height * value,
      };
      const place = {
        left,
        width: across,
        top: top + height * before,
        height: height * value,
      };
      const way = between(between(box, thin, scaled), place, stacked);
      const look = /** @type {const} */ ('strip');
      return { key: `${k} ${column}`, of, look, box: way, size: box, opacity: rest };
    });
    const size = row[0].box;
    const box = between(from, size, come);
    const weight = { key: `weight ${k}`, of: cell, value, sign: '×', box, size };
    return [...strips, { ...weight, opacity: 1 - scaled }];
  });
}

/** @param {import('./index.js').Shown[]} shown row by row */
const firstRow = (shown) => shown.filter(({ box }) => box.top === shown[0].box.top);
