// Several cells that travel as one picture of their colours.
import { around } from './boxes.js';

/** @typedef {import('./index.js').Panel} Panel */
/** @typedef {import('./index.js').Shown} Shown */

/**
 * A part of what is shown of a matrix.
 * @param {Panel} panel
 * @param {{ from: number, count: number }} down rows
 * @param {{ from: number, count: number }} [across] columns, all by default
 * @returns {Panel}
 */
export function part({ cells, columns }, down, across = { from: 0, count: columns }) {
  const inside = (/** @type {number} */ i) => {
    const [row, column] = [Math.floor(i / columns) - down.from, (i % columns) - across.from];
    return row >= 0 && row < down.count && column >= 0 && column < across.count;
  };
  return {
    cells: cells.filter((_, i) => inside(i)),
    rows: down.count,
    columns: across.count,
  };
}

/** @param {Panel} panel */
export const boxOf = ({ cells }) => around(cells.map(({ box }) => box));

/**
 * @param {string} key
 * @param {Panel} panel
 * @param {{ box: import('./boxes.js').Box, size?: import('./boxes.js').Box, opacity: number, folded?: number, mute?: boolean }} where
 *   mute: it has colours alone
 * @returns {import('./index.js').Traveller}
 */
export const block = (key, { cells, columns }, { box, size = box, mute = false, ...how }) => ({
  key,
  look: 'block',
  picture: { cells: cells.map(({ cell }) => cell), columns, mute },
  box,
  size,
  ...how,
});
