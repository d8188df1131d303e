// The blocks of a model: which of its steps belong together, in the order of computation, and where each
// stands in the figure of the whole.

/** @typedef {import('../session.js').Step} Step */
/** @typedef {'encoder' | 'decoder' | 'end'} Stack */
/**
 * @typedef {'embedding' | 'position' | 'self_attn' | 'cross_attn' | 'norm' | 'feed_forward' | 'pooler' |
 *   'prediction' | 'logits' | 'probabilities'} Kind
 * norm: what is added and normalised behind a sublayer, or before one.
 */
/**
 * @typedef {{ name: string, kind: Kind, stack: Stack, layer: number | null, steps: Step[] }} Block
 * name: 'decoder.1.cross_attn', as links have it.
 */

const LAYER = /^(encoder|decoder)\.layers\.(\d+)\.(?:(self_attn|cross_attn)\.|(\w+))/;
const STACK = /^(encoder|decoder)\.(.+)$/;

/** What surrounds the layers of a stack. @type {Record<string, Kind>} */
const AROUND = {
  embedding: 'embedding',
  'embedding.scaled': 'embedding',
  token_type: 'embedding',
  position: 'position',
  rotation: 'position',
  input: 'position',
  typed: 'position',
  embedding_norm: 'position',
  dropout: 'position',
  norm: 'norm',
};

/**
 * Where a step belongs: the stack, the layer if it is in one, and the kind of block.
 * @param {string} name
 * @returns {{ stack: Stack, layer: number | null, kind: Kind }}
 */
function homeOf(name) {
  const [, stack, layer, attention, part] = LAYER.exec(name) ?? [];
  if (stack) {
    const around = part && /^(norm|residual|dropout)\d$/.test(part);
    const kind = /** @type {Kind} */ (attention ?? (around ? 'norm' : 'feed_forward'));
    return { stack: /** @type {Stack} */ (stack), layer: Number(layer), kind };
  }
  const [, own, what] = STACK.exec(name) ?? [];
  if (own) {
    return { stack: /** @type {Stack} */ (own), layer: null, kind: AROUND[what] ?? 'embedding' };
  }
  const [first] = name.split('.');
  const kind = /** @type {Kind} */ (first === 'pooled' ? 'pooler' : first);
  return { stack: 'end', layer: null, kind };
}

/**
 * The blocks of a run, each with the steps that it computes. What is added and normalised between two
 * sublayers is one block; it goes by the number of its norm.
 * @param {Step[]} steps
 * @returns {Block[]}
 */
export function blocksOf(steps) {
  /** @type {Block[]} */
  const blocks = [];
  for (const step of steps) {
    if (step.kind !== 'op') continue;
    const { stack, layer, kind } = homeOf(step.name);
    const last = blocks.at(-1);
    if (last && last.stack === stack && last.layer === layer && last.kind === kind) {
      last.steps.push(step);
    } else blocks.push({ name: '', kind, stack, layer, steps: [step] });
  }
  for (const block of blocks) block.name = nameOf(block);
  return blocks;
}

/** @param {Block} block */
function nameOf({ stack, layer, kind, steps }) {
  if (stack === 'end') return kind;
  if (layer === null) return `${stack}.${kind}`;
  if (kind !== 'norm') return `${stack}.${layer}.${kind}`;
  const norm = steps.find(({ name }) => /norm\d$/.test(name)) ?? steps[0];
  return `${stack}.${layer}.${norm.name.replace(/^.*\./, '')}`;
}

/**
 * The block that computes a step; undefined for what is given.
 * @param {Block[]} blocks
 * @param {string} node
 */
export const blockWith = (blocks, node) =>
  blocks.find(({ steps }) => steps.some(({ name }) => name === node));

/** @param {Block[]} blocks @param {Stack} stack */
export const layersOf = (blocks, stack) =>
  1 + Math.max(-1, ...blocks.map((block) => (block.stack === stack ? (block.layer ?? -1) : -1)));
