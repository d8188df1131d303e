// Whole rows at once: pictures of what they are computed from move from each matrix and become their numbers.
import { block, boxOf, part } from './block.js';
import { between, during } from './boxes.js';

/** @typedef {import('./index.js').Panel} Panel */

/** No step reads more operands. */
const MAX_OPERANDS = 3;

/** @type {import('./index.js').Motion} */
export function rows({ panels, crosses, begun, moment, progress }) {
  const gone = during(progress, 0, 0.7);
  const become = during(progress, 0.75, 0.9);
  /* Nothing shines through a copy: two digits in one cell could not be read. */
  const opacity = progress > 0 && become < 1 ? 1 : 0;
  return panels(-1).flatMap((panel, nth) => {
    const shown = rowsBetween(panel, begun.cell, moment.cell);
    if (!shown) return [];
    const sources = Array.from({ length: MAX_OPERANDS }, (_, operand) => {
      const all = panels(operand);
      return all.flatMap((one, i) => {
        const parts = crosses
          ? { from: operand === 0 ? alike(one, panel, shown.down) : one, to: shown.rows }
          : matching(one, { panel, nth, shown, index: i, many: all.length });
        return parts ? [{ key: `${nth} ${operand} ${i}`, ...parts }] : [];
      });
    }).flat();
    const copies = sources.map(({ key, from, to }) => {
      const size = boxOf(to);
      const box = between(boxOf(from), size, gone);
      /* Its numbers in the product's place would be read as those of the product. */
      return block(key, from, { box, size, opacity, mute: crosses });
    });
    return [
      ...copies,
      block(`told ${nth}`, shown.rows, { box: boxOf(shown.rows), opacity: become }),
    ];
  });
}

/**
 * The rows of a panel that hold certain cells, if it shows any.
 * @param {Panel} panel
 * @param {number} first @param {number} last
 */
function rowsBetween(panel, first, last) {
  const places = panel.cells.flatMap(({ cell }, i) =>
    cell.flat >= first && cell.flat <= last ? [Math.floor(i / panel.columns)] : [],
  );
  if (places.length === 0) return null;
  const from = places[0];
  const down = { from, count: places[places.length - 1] - from + 1 };
  return { down, rows: part(panel, down) };
}

/**
 * The same rows of another panel, or all of it where it does not show as many.
 * @param {Panel} other
 * @param {Panel} panel
 * @param {{ from: number, count: number }} down
 */
const alike = (other, panel, down) => (other.rows === panel.rows ? part(other, down) : other);

/**
 * What rows are computed from where each number comes from one place: the same rows, of which a head may have a part.
 * @param {Panel} other the panel `index` of `many` that an operand has
 * @param {{ panel: Panel, nth: number, shown: NonNullable<ReturnType<typeof rowsBetween>>, index: number, many: number }} of
 */
function matching(other, { panel, nth, shown, index, many }) {
  if (other.rows !== panel.rows) return null;
  const { down } = shown;
  /* A matrix is cut into heads. */
  if (other.columns > panel.columns) {
    const { columns } = panel;
    const head = { from: nth * columns, count: columns };
    return { from: part(other, down, head), to: shown.rows };
  }
  /* Heads are joined into one matrix. */
  if (many > 1 && many * other.columns === panel.columns) {
    const { columns } = other;
    const across = { from: index * columns, count: columns };
    return { from: part(other, down), to: part(panel, down, across) };
  }
  return many > 1 && index !== nth ? null : { from: part(other, down), to: shown.rows };
}
