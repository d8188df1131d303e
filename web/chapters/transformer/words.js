// What the blocks of a model are called.
import { lookup, text } from '../../locale/text.js';

/** @typedef {import('../../draw/blocks.js').Block} Block */

/** The kind of a block, told apart as a reader would. @param {Block} block */
export function kindOf({ kind, steps }) {
  const has = (/** @type {string} */ op) => steps.some((step) => step.op === op);
  if (
    kind === 'self_attn' &&
    steps.some(({ op, attributes }) => op === 'mask' && attributes.causal)
  )
    return 'masked_attn';
  if (kind === 'position' && has('rotation')) return 'rotation';
  if (kind !== 'norm') return kind;
  if (!has('add')) return 'norm_alone';
  return has('layer_norm') || has('rms_norm') ? 'norm' : 'add_alone';
}

/** What is told by each of a block's steps. @type {Partial<Record<string, string[]>>} */
const TOLD = { norm: ['add', 'layer_norm', 'rms_norm'], embedding: ['embed', 'scale'] };

/** What a block does. @param {Block} block */
export function aboutOf(block) {
  const ops = TOLD[block.kind]?.filter((op) => block.steps.some((step) => step.op === op));
  return (ops ?? [kindOf(block)]).map((key) => text(`chapters/transformer/about/${key}`)).join(' ');
}

/** A box of the map has room for two words. @param {Block} block */
export const shortTitle = (block) =>
  lookup(`chapters/transformer/short/${kindOf(block)}`) ?? block.kind;

/** 'decoder, layer 2: cross-attention' @param {Block} block */
export function titleOf(block) {
  const title = text(`chapters/transformer/blocks/${kindOf(block)}`);
  const { stack, layer } = block;
  if (stack === 'end') return title;
  const where = text(`chapters/transformer/stacks/${stack}`);
  return layer === null
    ? text('chapters/transformer/ofStack', { where, title })
    : text('chapters/transformer/ofLayer', { where, layer: layer + 1, title });
}

/** At the beginning of a sentence. @param {string} words */
export const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);
