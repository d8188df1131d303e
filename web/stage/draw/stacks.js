// The figure of a model: the encoder's stack at the left, the decoder's at the right, as the paper draws
// them, from below upwards. Of each stack one layer is open; those below it and above it fold into a line each.

/** @typedef {import('./blocks.js').Block} Block */
/** @typedef {import('./blocks.js').Stack} Stack */
/** Layers of a stack in one line, counted from 0. unfolded: whether each of them is shown.
 * @typedef {{ name: string, stack: Stack, from: number, to: number, unfolded: boolean }} Fold */
/** A block, or some layers: the column, rows from below, how many rows, and what is in it.
 * @typedef {{ x: number, y: number, rows: number, blocks: Block[], fold: Fold | null }} Box */
/**
 * @typedef {{ from: Box, to: Box, kind: 'flow' | 'skip' | 'memory' }} Wire
 * flow: upwards; skip: around the sublayer between; memory: from the encoder to the decoder.
 */
/** @typedef {{ x: number, from: number, to: number, stack: Stack }} Frame around the rows of a layer */

/** So many layers of an unfolded line stand beside each other. */
const LAYERS_PER_ROW = 4;
/** What such a row takes, of one of the figure's. */
const LAYER_ROW_HEIGHT = 0.8;

/** The layers of an unfolded line below its name: the place in a row, and the row.
 * @param {{ y: number, fold: Fold }} box */
export const unfoldedIn = ({ y, fold: { from, to } }) =>
  Array.from({ length: to - from + 1 }, (_, i) => ({
    layer: from + i,
    place: i % LAYERS_PER_ROW,
    y: y + LAYER_ROW_HEIGHT * Math.floor(i / LAYERS_PER_ROW),
  }));

/** How many rows a line takes. @param {Fold} fold */
const rowsOf = ({ from, to, unfolded }) =>
  unfolded ? 1 + LAYER_ROW_HEIGHT * Math.ceil((to - from + 1) / LAYERS_PER_ROW) : 1;

/**
 * The boxes of a column.
 * @param {Block[]} blocks
 * @param {number} x
 * @param {number} open the layer that is open
 * @param {string | null} unfolded
 */
function columnOf(blocks, x, open, unfolded) {
  /** @type {Box[]} */
  const column = [];
  for (const block of blocks) {
    const { stack, layer } = block;
    const before = column.at(-1);
    if (layer === null || layer === open) {
      column.push({ x, y: 0, rows: 1, blocks: [block], fold: null });
    } else if (before?.fold) {
      before.blocks.push(block);
      before.fold.to = layer;
    } else {
      const fold = { name: '', stack, from: layer, to: layer, unfolded: false };
      column.push({ x, y: 0, rows: 1, blocks: [block], fold });
    }
  }
  let y = 0;
  for (const box of column) {
    const { fold } = box;
    if (fold) {
      fold.name = `${fold.stack}.${fold.from}-${fold.to}`;
      fold.unfolded = fold.name === unfolded;
      box.rows = rowsOf(fold);
    }
    box.y = y;
    y += box.rows;
  }
  return column;
}

/** Where what a block of a layer adds again leaves the column: not right before it.
 * @param {Box[]} column @param {number} index */
function skipTo(column, index) {
  const [block] = column[index].blocks;
  const added = block.layer === null ? null : block.steps.find(({ op }) => op === 'add');
  return column
    .slice(0, Math.max(0, index - 1))
    .find(({ blocks }) =>
      blocks.some(({ steps }) => steps.some(({ name }) => added?.inputs.includes(name))),
    );
}

/**
 * @param {Block[]} blocks
 * @param {Record<string, number>} layers which layer of each stack is open
 * @param {string | null} [unfolded] the line that shows its layers
 */
export function stacks(blocks, layers, unfolded = null) {
  const names = /** @type {Stack[]} */ (
    ['encoder', 'decoder'].filter((stack) => blocks.some((block) => block.stack === stack))
  );
  const columns = names.map((stack, x) => {
    const isEnd = (/** @type {Block} */ block) => x === names.length - 1 && block.stack === 'end';
    const members = blocks.filter((block) => block.stack === stack || isEnd(block));
    return columnOf(members, x, layers[stack], unfolded);
  });
  /** @type {Frame[]} */
  const frames = [];
  /** @type {Wire[]} */
  const wires = [];
  for (const [x, column] of columns.entries()) {
    const inside = column.filter(({ fold, blocks: [{ layer }] }) => !fold && layer !== null);
    if (inside.length > 0) {
      frames.push({ x, from: inside[0].y, to: inside[inside.length - 1].y, stack: names[x] });
    }
    for (const [i, to] of column.entries()) {
      if (i > 0) wires.push({ from: column[i - 1], to, kind: 'flow' });
      const from = to.fold ? null : skipTo(column, i);
      if (from) wires.push({ from, to, kind: 'skip' });
    }
    const cross = column.find(({ fold, blocks: [{ kind }] }) => !fold && kind === 'cross_attn');
    const memory = columns[x - 1]?.at(-1);
    if (memory && cross) wires.push({ from: memory, to: cross, kind: 'memory' });
  }
  const boxes = columns.flat();
  const rows = Math.max(...boxes.map((box) => box.y + box.rows));
  return { boxes, frames, wires, columns: columns.length, rows };
}
