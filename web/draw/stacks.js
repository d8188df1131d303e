// The figure of a model: the encoder's stack at the left, the decoder's at the right, as the paper draws
// them, from below upwards. Of each stack one layer is shown.

/** @typedef {import('./blocks.js').Block} Block */
/** @typedef {import('./blocks.js').Stack} Stack */
/** @typedef {{ block: Block, x: number, y: number }} Place column and row of a box, rows from below */
/**
 * @typedef {{ from: { x: number, y: number }, to: { x: number, y: number }, kind: 'flow' | 'skip' | 'memory' }} Wire
 * flow: upwards; skip: around the sublayer between; memory: from the encoder to the decoder.
 */
/** @typedef {{ x: number, from: number, to: number, stack: Stack }} Frame around the rows of a layer */

/**
 * @param {Block[]} blocks
 * @param {Record<string, number>} layers which layer of each stack is shown
 */
export function stacks(blocks, layers) {
  const names = /** @type {Stack[]} */ (
    ['encoder', 'decoder'].filter((stack) => blocks.some((block) => block.stack === stack))
  );
  /** @type {Place[]} */
  const places = [];
  /** @type {Frame[]} */
  const frames = [];
  /** @type {Wire[]} */
  const wires = [];
  for (const [x, stack] of names.entries()) {
    const last = x === names.length - 1;
    const column = blocks
      .filter(
        (block) =>
          (block.stack === stack && (block.layer === null || block.layer === layers[stack])) ||
          (last && block.stack === 'end'),
      )
      .map((block, y) => ({ block, x, y }));
    places.push(...column);
    const inside = column.filter(({ block }) => block.layer !== null).map(({ y }) => y);
    if (inside.length > 0) {
      frames.push({ x, from: Math.min(...inside), to: Math.max(...inside), stack });
    }
    for (const [at, to] of column.entries()) {
      const from = column[at - 1];
      if (from) wires.push({ from, to, kind: 'flow' });
      /* What is added again goes around the sublayer. */
      const adds = to.block.steps.some(({ op }) => op === 'add') && to.block.layer !== null;
      if (adds && at >= 2) wires.push({ from: column[at - 2], to, kind: 'skip' });
    }
  }
  const memory = places.findLast(({ block }) => block.stack === 'encoder');
  const cross = places.find(({ block }) => block.kind === 'cross_attn');
  if (memory && cross) wires.push({ from: memory, to: cross, kind: 'memory' });
  return { places, frames, wires, columns: names.length };
}
