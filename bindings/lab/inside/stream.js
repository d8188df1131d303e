// The residual stream: the vectors that every sublayer reads, and adds its output to.

import { checkInteger, checkWord } from '../../js/base/errors.js';

/** @typedef {import('./bench.js').Bench} Bench */
/** @typedef {import('../../js/tape/tensor.js').Tensor} Tensor */
/** @typedef {import('../../js/tape/description.js').Part} Part */
/** @typedef {import('../../js/tape/description.js').Stack} Stack */

/** The stream at one place of a stack.
 * @typedef {object} State
 * @property {string} name
 * @property {Stack} stack
 * @property {number | null} layer whose sublayer has just added its output; null before the first
 * @property {Part | null} part that sublayer
 * @property {Tensor} node
 */

/** How the parts of a layer are called. @type {Record<string, string>} */
export const PARTS = {
  self_attn: 'attention',
  cross_attn: 'cross-attention',
  feed_forward: 'feed-forward',
};

/** Layers are numbered in 16 bits. */
export const MAX_LAYER = 2 ** 15 - 1;

/** The stack that a place names, checked with its layer; the last one by default.
 * @param {string} where @param {Bench} bench @param {{ layer?: unknown, stack?: Stack }} place */
export function checkStack(where, { stacks }, { layer, stack = stacks[stacks.length - 1] }) {
  checkInteger(`${where}: layer`, layer, 0, MAX_LAYER);
  checkWord(`${where}: stack`, stack, ['encoder', 'decoder']);
  return stack;
}

/** A name begins with the stack only where there are two.
 * @param {Bench} bench @param {string | null} stack */
export const prefixOf = (bench, stack) => (bench.stacks.length > 1 && stack ? `${stack} ` : '');

/** @param {Bench} bench @param {{ stack: string | null, layer: number | null, part: string | null }} place @param {number} head */
export const headName = (bench, { stack, layer, part }, head) =>
  `${prefixOf(bench, stack)}layer ${layer} ${part === 'cross_attn' ? 'cross-attention ' : ''}head ${head}`;

/** The residual additions of a stack, and the sublayer whose output each adds.
 * @param {Bench} bench @param {Stack} stack */
export const additionsOf = ({ nodes }, stack) =>
  nodes.flatMap((node) => {
    const [from, output] = node.inputs;
    const isOne = node.role === 'residual' && node.op === 'add' && node.stack === stack;
    return isOne && from && output
      ? [{ node, from, output, part: output.part, layer: node.layer }]
      : [];
  });

/** The stream of a stack, from its input on: before the first sublayer, and behind each. Where norms stand behind
 * the additions, they belong to it.
 * @param {Bench} bench @param {Stack} stack
 * @returns {State[]} */
export function statesOf(bench, stack) {
  const prefix = prefixOf(bench, stack);
  const all = additionsOf(bench, stack);
  const behind = (/** @type {Tensor} */ node) =>
    bench.config.preNorm
      ? node
      : (bench.nodes.find(({ role, inputs }) => role === 'norm' && inputs[0] === node) ?? node);
  const states = all.map(({ node, part, layer }) => ({
    name: `${prefix}layer ${layer} ${PARTS[/** @type {string} */ (part)]}`,
    stack,
    layer,
    part,
    node: behind(node),
  }));
  const [first] = all;
  if (!first) return [];
  return [{ name: `${prefix}input`, stack, layer: null, part: null, node: first.from }, ...states];
}
