// What a kind of model consists of, as data: the same as in src/model/architecture.c, before anything is built.

/** @typedef {import('./config.js').Config} Config */
/** @typedef {import('./config.js').Kind} Kind */
/** @typedef {'self_attn' | 'cross_attn' | 'feed_forward'} Sublayer */

/** Layers that are alike, and the sequence that they read.
 * @typedef {object} Stack
 * @property {'encoder' | 'decoder'} name which the names of its nodes begin with
 * @property {'source' | 'target'} sequence
 * @property {'layers' | 'decoderLayers'} depth the option that says how many layers there are
 * @property {readonly Sublayer[]} sublayers of each layer, in order
 * @property {boolean} causal tokens see none that comes later
 */

/** @type {Omit<Stack, 'name' | 'causal'>} */
const ONLY = { sequence: 'target', depth: 'layers', sublayers: ['self_attn', 'feed_forward'] };
/** @type {Stack} */
const ENCODER = { name: 'encoder', causal: false, ...ONLY };
/** @type {Stack} */
const DECODER = { name: 'decoder', causal: true, ...ONLY };

/** @type {Record<Kind, readonly Stack[]>} */
const STACKS = {
  transformer: [
    { ...ENCODER, sequence: 'source' },
    {
      ...DECODER,
      depth: 'decoderLayers',
      sublayers: ['self_attn', 'cross_attn', 'feed_forward'],
    },
  ],
  gpt: [DECODER],
  bert: [ENCODER],
};

/** @typedef {Pick<Config, 'kind' | 'vocab' | 'head' | 'decoderLayers'>} Outline */

/** The stacks of a model, and whether logits are made of what leaves the last one.
 * @param {Outline} config
 * @returns {{ stacks: readonly Stack[], logits: boolean }} */
export function architectureOf({ kind, vocab, head, decoderLayers }) {
  const all = STACKS[kind];
  /* A transformer without a decoder is an encoder alone. */
  const stacks = all.filter(({ depth }) => depth === 'layers' || decoderLayers > 0);
  return { stacks, logits: vocab > 0 && head === 'logits' && stacks.length === all.length };
}

/** Whether a model reads a sequence.
 * @param {Outline} config @param {Stack['sequence']} sequence */
export const reads = (config, sequence) =>
  architectureOf(config).stacks.some((stack) => stack.sequence === sequence);
