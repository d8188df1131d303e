// What the blocks of a model consist of and cost, from the model's own summary; and what a run keeps.

/** @typedef {import('../../stage/draw/blocks.js').Block} Block */
/** @typedef {Pick<import('../../app/session.js').Step, 'name' | 'op' | 'role' | 'stack' | 'layer' | 'part' | 'shape'>
 *   & { parameters: number, multiplyAdds: number }} Row */
/**
 * @typedef {{ block: Block, shape: number[], parameters: number, multiplyAdds: number, share: number }} Cost
 * shape: of what leaves the block, without the batch; share: of all multiply-adds.
 */

/**
 * @param {Block[]} blocks
 * @param {{ rows: Row[], multiplyAdds: number }} summary
 * @returns {Cost[]}
 */
export function costs(blocks, { rows, multiplyAdds: all }) {
  const byName = new Map(rows.map((row) => [row.name, row]));
  return blocks.map((block) => {
    const ofBlock = block.steps.flatMap(({ name }) => byName.get(name) ?? []);
    const sum = (/** @type {'parameters' | 'multiplyAdds'} */ what) =>
      ofBlock.reduce((total, row) => total + row[what], 0);
    const multiplyAdds = sum('multiplyAdds');
    const shape = /** @type {number[]} */ (block.steps.at(-1)?.shape);
    return { block, shape, parameters: sum('parameters'), multiplyAdds, share: multiplyAdds / all };
  });
}

/**
 * About how many numbers the steps of a model have for each token that it reads; scores apart, which short texts have few of.
 * @param {Record<string, any>} config
 */
export function numbersOfToken({ layers, decoderLayers = 0, dModel, dFF, vocab }) {
  /* Queries, keys and values three times, what attention makes of them, norms, sums; the hidden layer three times; logits
     and probabilities. */
  return (layers + decoderLayers) * (15 * dModel + 3 * dFF) + 2 * vocab;
}

/**
 * The two parts of an attention's multiply-adds: those that grow with n m d, for each pair of places, and
 * those that grow with n d^2, for each place.
 * @param {Block} block
 * @param {{ rows: Row[] }} summary
 */
export function partsOf(block, { rows }) {
  const names = new Set(block.steps.map(({ name }) => name));
  const sum = (/** @type {string} */ which) =>
    rows
      .filter(({ name, op }) => names.has(name) && op === which)
      .reduce((total, row) => total + row.multiplyAdds, 0);
  return { pairs: sum('matmul'), places: sum('linear') };
}
