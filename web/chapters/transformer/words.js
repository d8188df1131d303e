// What the blocks of a model are called.
import { lookup, text } from '../../app/locale/text.js';

/** @type {Readonly<Record<string, string>>} */
export const LAYER_TEXTS = {
  attention: 'chapters/transformer/paths/layers/attention',
  recurrent: 'chapters/transformer/paths/layers/recurrent',
  lstm: 'chapters/transformer/paths/layers/lstm',
  convolution: 'chapters/transformer/paths/layers/convolution',
  dilated: 'chapters/transformer/paths/layers/dilated',
};

/** @type {Readonly<Record<string, string>>} */
const ABOUT_TEXTS = {
  embed: 'chapters/transformer/about/embed',
  scale: 'chapters/transformer/about/scale',
  position: 'chapters/transformer/about/position',
  rotation: 'chapters/transformer/about/rotation',
  self_attn: 'chapters/transformer/about/self_attn',
  cross_attn: 'chapters/transformer/about/cross_attn',
  add: 'chapters/transformer/about/add',
  layer_norm: 'chapters/transformer/about/layer_norm',
  rms_norm: 'chapters/transformer/about/rms_norm',
  feed_forward: 'chapters/transformer/about/feed_forward',
  pooler: 'chapters/transformer/about/pooler',
  prediction: 'chapters/transformer/about/prediction',
  logits: 'chapters/transformer/about/logits',
  probabilities: 'chapters/transformer/about/probabilities',
  masked_attn: 'chapters/transformer/about/masked_attn',
};

/** @type {Readonly<Record<string, string>>} */
const SHORT_TEXTS = {
  embedding: 'chapters/transformer/short/embedding',
  position: 'chapters/transformer/short/position',
  rotation: 'chapters/transformer/short/rotation',
  self_attn: 'chapters/transformer/short/self_attn',
  masked_attn: 'chapters/transformer/short/masked_attn',
  cross_attn: 'chapters/transformer/short/cross_attn',
  norm: 'chapters/transformer/short/norm',
  norm_alone: 'chapters/transformer/short/norm_alone',
  add_alone: 'chapters/transformer/short/add_alone',
  feed_forward: 'chapters/transformer/short/feed_forward',
  pooler: 'chapters/transformer/short/pooler',
  prediction: 'chapters/transformer/short/prediction',
  logits: 'chapters/transformer/short/logits',
  probabilities: 'chapters/transformer/short/probabilities',
};

/** @type {Readonly<Record<string, string>>} */
const BLOCK_TEXTS = {
  embedding: 'chapters/transformer/blocks/embedding',
  position: 'chapters/transformer/blocks/position',
  rotation: 'chapters/transformer/blocks/rotation',
  self_attn: 'chapters/transformer/blocks/self_attn',
  masked_attn: 'chapters/transformer/blocks/masked_attn',
  cross_attn: 'chapters/transformer/blocks/cross_attn',
  norm: 'chapters/transformer/blocks/norm',
  norm_alone: 'chapters/transformer/blocks/norm_alone',
  add_alone: 'chapters/transformer/blocks/add_alone',
  feed_forward: 'chapters/transformer/blocks/feed_forward',
  pooler: 'chapters/transformer/blocks/pooler',
  prediction: 'chapters/transformer/blocks/prediction',
  logits: 'chapters/transformer/blocks/logits',
  probabilities: 'chapters/transformer/blocks/probabilities',
};

/** @type {Readonly<Record<string, string>>} */
const STACK_TEXTS = {
  encoder: 'chapters/transformer/stacks/encoder',
  decoder: 'chapters/transformer/stacks/decoder',
};

/** @typedef {import('../../stage/draw/blocks.js').Block} Block */

/** The kind of a block, as a reader distinguishes them. @param {Block} block */
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

/** Kinds of blocks that are described step by step. @type {Partial<Record<string, string[]>>} */
const STEP_BY_STEP = { norm: ['add', 'layer_norm', 'rms_norm'], embedding: ['embed', 'scale'] };

/** What a block does. @param {Block} block */
export function aboutOf(block) {
  const ops = STEP_BY_STEP[block.kind]?.filter((op) => block.steps.some((step) => step.op === op));
  return (ops ?? [kindOf(block)]).map((key) => text(ABOUT_TEXTS[key])).join(' ');
}

/** A box of the map has room for two words. @param {Block} block */
export const shortTitle = (block) => lookup(SHORT_TEXTS[kindOf(block)]) ?? block.kind;

/** 'decoder, layer 2: cross-attention' @param {Block} block */
export function titleOf(block) {
  const title = text(BLOCK_TEXTS[kindOf(block)]);
  const { stack, layer } = block;
  if (stack === 'end') return title;
  const where = text(STACK_TEXTS[stack]);
  return layer === null
    ? text('chapters/transformer/ofStack', { where, title })
    : text('chapters/transformer/ofLayer', { where, layer: layer + 1, title });
}
