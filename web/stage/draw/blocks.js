// The blocks of a model: which of its steps belong together, in the order of computation, and where each
// stands in the figure of the whole.

/** @typedef {import('../../app/session.js').Step} Step */
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

/**
 * Where a step belongs: the stack, the layer if it is in one, and the kind of block.
 * @param {Step} step
 * @returns {{ stack: Stack, layer: number | null, kind: Kind }}
 */
function homeOf({ stack, layer, part, role }) {
  if (stack && layer !== null) return { stack, layer, kind: /** @type {Kind} */ (part ?? 'norm') };
  if (stack) {
    const around = role === 'embedding' || role === 'segment' ? 'embedding' : 'position';
    return { stack, layer, kind: part === 'embedding' ? around : 'norm' };
  }
  return { stack: 'end', layer, kind: /** @type {Kind} */ (part ?? ENDS[String(role)]) };
}

/** What is made of the last stack's result, by its role. @type {Record<string, string>} */
const ENDS = { logit: 'logits', probability: 'probabilities', loss: 'loss' };

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
    const { stack, layer, kind } = homeOf(step);
    const last = blocks.at(-1);
    if (last && last.stack === stack && last.layer === layer && last.kind === kind) {
      last.steps.push(step);
    } else blocks.push({ name: '', kind, stack, layer, steps: [step] });
  }
  for (const block of blocks) block.name = nameOf(block, blocks);
  return blocks;
}

/**
 * @param {Block} block
 * @param {Block[]} blocks
 */
function nameOf(block, blocks) {
  const { stack, layer, kind, steps } = block;
  if (stack === 'end') return kind;
  if (layer === null) return `${stack}.${kind}`;
  if (kind !== 'norm') return `${stack}.${layer}.${kind}`;
  /* By the number of its norm in the layer; what is added behind the last one has none. */
  const role = steps.some((step) => step.role === 'norm') ? 'norm' : 'residual';
  const before = blocks.slice(0, blocks.indexOf(block) + 1).filter((other) => {
    const beside = other.stack === stack && other.layer === layer;
    return beside && other.kind === kind && other.steps.some((step) => step.role === role);
  });
  return `${stack}.${layer}.${role}${before.length}`;
}

/** @param {Block} block */
export const isAttention = ({ kind }) => kind === 'self_attn' || kind === 'cross_attn';

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
