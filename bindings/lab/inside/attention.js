// The steps of attentions, found by their roles.

import { checkWord } from '../../js/base/errors.js';
import { checkStack } from './stream.js';
import { rangeError } from './texts.js';

/** @typedef {import('./bench.js').Bench} Bench */
/** @typedef {import('../../js/tape/tensor.js').Tensor} Tensor */

/** Where attention happens.
 * @typedef {object} AttentionPlace
 * @property {number} layer
 * @property {'encoder' | 'decoder'} [stack] the last one by default
 * @property {'self_attn' | 'cross_attn'} [part] 'self_attn' by default
 */

/** One attention of a run.
 * @typedef {object} Attention
 * @property {string} stack
 * @property {number} layer
 * @property {string} part
 * @property {number} heads
 * @property {Tensor} scores before they are scaled
 * @property {Tensor} scaled
 * @property {Tensor} masked what the softmax reads
 * @property {Tensor} weights [1,H,Tq,Tk]
 */

const PARTS = ['self_attn', 'cross_attn'];

/** All of a run, in the order of computation.
 * @param {{ nodes: readonly Tensor[] }} run a bench or a tape
 * @returns {Attention[]} */
export function attentionsOf({ nodes }) {
  const all = nodes.filter(({ role }) => role === 'score');
  return nodes
    .filter(({ role, op, kind }) => role === 'weight' && op === 'softmax' && kind === 'op')
    .map((weights) => {
      const { stack, layer, part, heads } = weights;
      const scores = all.filter(
        (node) => node.layer === layer && node.stack === stack && node.part === part,
      );
      const made = (/** @type {string} */ op) =>
        /** @type {Tensor} */ (scores.find((node) => node.op === op));
      return {
        ...{ stack: String(stack), layer: Number(layer), part: String(part), heads },
        ...{
          scores: made('matmul'),
          scaled: made('scale'),
          masked: /** @type {Tensor} */ (weights.inputs[0]),
          weights,
        },
      };
    });
}

/** A projection of an attention, or the first step of a feed-forward.
 * @param {Bench} bench @param {{ stack: string | null, layer: number | null, part: string | null }} place @param {string} role */
export const projectionOf = ({ nodes }, { stack, layer, part }, role) =>
  nodes.find(
    (node) =>
      node.op === 'linear' &&
      node.role === role &&
      node.layer === layer &&
      node.stack === stack &&
      node.part === part,
  );

/** @param {Bench} bench @param {AttentionPlace} place */
export function attentionAt(bench, place) {
  const { where } = bench;
  const { layer, part = 'self_attn' } = place;
  const stack = checkStack(where, bench, place);
  checkWord(`${where}: part`, part, PARTS);
  const match = attentionsOf(bench).find(
    (one) => one.layer === layer && one.stack === stack && one.part === part,
  );
  if (match) return match;
  throw rangeError('noPartAt', { where, part, layer, stack });
}
