// The steps of attentions, found by what they are.

import { checkInteger, checkWord } from '../base/errors.js';
import { rangeError } from './texts.js';

/** @typedef {import('./bench.js').Bench} Bench */
/** @typedef {import('../tape/tensor.js').Tensor} Tensor */

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

const STACKS = ['encoder', 'decoder'];
const PARTS = ['self_attn', 'cross_attn'];

/** All of a run, in the order of computation.
 * @param {{ nodes: readonly Tensor[] }} run a bench or a tape
 * @returns {Attention[]} */
export function attentionsOf({ nodes }) {
  return nodes
    .filter(({ role, op, kind }) => role === 'weight' && op === 'softmax' && kind === 'op')
    .map((weights) => {
      const { stack, layer, part, heads } = weights;
      const scores = nodes.filter(
        (node) =>
          node.role === 'score' &&
          node.layer === layer &&
          node.stack === stack &&
          node.part === part,
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

/** @param {Bench} bench @param {AttentionPlace} place */
export function attentionAt(bench, { layer, stack, part = 'self_attn' }) {
  const { where, stacks } = bench;
  checkInteger(`${where}: layer`, layer, 0, 2 ** 15 - 1);
  if (stack !== undefined) checkWord(`${where}: stack`, stack, STACKS);
  checkWord(`${where}: part`, part, PARTS);
  const asked = stack ?? stacks[stacks.length - 1];
  const match = attentionsOf(bench).find(
    (one) => one.layer === layer && one.stack === asked && one.part === part,
  );
  if (match) return match;
  throw rangeError('noPartAt', { where, part, layer, stack: asked });
}
