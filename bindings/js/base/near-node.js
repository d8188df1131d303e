// The node that a name stands for which no node has.

import { message, near } from './errors.js';

/** @typedef {import('./message.js').Message} Message */

/** What others call parts of a layer. @type {Readonly<Record<string, string>>} */
const PARTS = { attn: 'self_attn', attention: 'self_attn', mlp: 'linear2', ffn: 'linear2' };

/** A hint at the node that a name stands for: the layers that there are, the same in other words, or the nearest.
 * @param {string} name @param {readonly string[]} nodes
 * @returns {Message | undefined} */
export function nearNode(name, nodes) {
  const ours = name
    .replace(/^(?:model|transformer)\./, 'decoder.')
    .replace(/\b(?:h|blocks)\.(?=\d)/, 'layers.')
    .replace(/\b(attn|attention|mlp|ffn)\b/, (word) => PARTS[word]);
  const [, stack = '', layer] = /^(.*?\blayers\.)(\d+)\b/.exec(ours) ?? [];
  const inStack = nodes.filter((node) => layer !== undefined && node.includes(stack));
  const last = inStack.reduce(
    (most, node) => Math.max(most, Number(/layers\.(\d+)/.exec(node)?.[1])),
    0,
  );
  if (inStack.length && Number(layer) > last) return message('layersTo', { last });
  const same = nodes.find((node) => node === ours || node.endsWith(`.${ours}`));
  if (same && same !== name) return message('didYouMean', { name: same });
  const inLayer = nodes.filter((node) => node.includes(`${stack}${layer}.`));
  return near(ours, inLayer.length ? inLayer : nodes);
}
