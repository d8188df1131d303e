// The layers of an unfolded line of the map: a number each.
import { unfoldedIn } from '../../stage/draw/stacks.js';
import { titleOf } from './words.js';

/** @typedef {import('../../stage/draw/blocks.js').Block} Block */
/** @typedef {import('./map.js').Key} Key */

/** Units: of a number, and of what is beside it. */
const NUMBER = { width: 22, x: 24 };
/** The numbers stand a little out of the line above them. */
const OVERHANG = -2;

/**
 * @param {import('../../stage/draw/stacks.js').Box} box
 * @param {import('../../stage/draw/stacks.js').Fold} fold
 * @param {{ corner: (row: number) => { x: number, y: number }, twin: (layer: number) => Block, come: (block: Block) => void }} map
 *   the corner of a row, the block that a layer opens at, and the way there
 * @returns {Key[]}
 */
export const keysIn = ({ x: column, y: lowest }, fold, { corner, twin, come }) =>
  unfoldedIn({ y: lowest, fold }).map(({ layer, place, y: row }) => {
    const block = twin(layer);
    const { x, y } = corner(row);
    return {
      ...{ x: x + OVERHANG + place * NUMBER.x, y, width: NUMBER.width, column },
      ...{ name: `${fold.stack}.${layer}`, label: String(layer + 1), title: titleOf(block) },
      press: () => come(block),
    };
  });
