// The places that experiments change: a head, a neuron, a layer, a position, or any node; each is some cells of some nodes.

import {
  checkArray,
  checkInteger,
  checkOptions,
  checkText,
  checkWord,
} from '../../js/base/errors.js';
import { sizeOf } from '../../js/base/values.js';
import { additionsOf, checkStack, PARTS, prefixOf } from './stream.js';
import { rangeError, typeError } from './texts.js';

/** @typedef {import('./bench.js').Bench} Bench */
/** @typedef {import('../../js/tape/tensor.js').Tensor} Tensor */

/** One place of a run: give `node`, or `layer` alone or with one of head, neuron and position.
 * @typedef {object} Place
 * @property {number} [layer] its sublayers' outputs, if nothing else is given
 * @property {number} [head] of that layer: what its attention weights make of the values
 * @property {number} [neuron] of that layer: behind the activation
 * @property {number} [position] the residual stream that enters the layer there
 * @property {'encoder' | 'decoder'} [stack] the last one by default
 * @property {'self_attn' | 'cross_attn' | 'feed_forward'} [part] with head: 'self_attn' by default; with layer alone:
 *   all of them by default
 * @property {string} [node] a step, by its name
 * @property {readonly (number | null)[]} [index] with node: some cells of it, null for all along a dimension
 */

/** Of which each one is tried. @typedef {'head' | 'neuron' | 'layer' | 'position'} Each */

/** Cells of a node, by their places in its values. @typedef {{ node: Tensor, cells: Int32Array }} Region */

export const EACH = /** @type {const} */ (['head', 'neuron', 'layer', 'position']);
const PLACE = ['layer', 'head', 'neuron', 'position', 'stack', 'part', 'node', 'index'];

/** The cells of an index; null goes through a whole dimension.
 * @param {Tensor} node @param {readonly (number | null)[]} index
 * @returns {Region} */
export function region(node, index) {
  const { shape } = node;
  /** @type {number[]} */
  let cells = [0];
  shape.forEach((size, axis) => {
    const step = sizeOf(shape.slice(axis + 1));
    const along = index[axis];
    const range = typeof along === 'number' ? [along] : Array.from({ length: size }, (_, i) => i);
    cells = cells.flatMap((cell) => range.map((i) => cell + i * step));
  });
  return { node, cells: Int32Array.from(cells) };
}

/** The places of one kind in a layer.
 * @typedef {object} Row
 * @property {string} label
 * @property {string} stack
 * @property {number} layer
 * @property {string} part
 * @property {(place: number) => Region[]} regionsAt
 * @property {number} count
 */

/** @param {Bench} bench @param {Tensor} node @param {string} [suffix] */
const labelOf = (bench, { stack, layer }, suffix = '') =>
  `${prefixOf(bench, stack)}${layer}${suffix}`;

/** Layers whose steps of a role hold heads, or neurons.
 * @param {Bench} bench @param {'mix' | 'activation'} role @param {number} axis
 * @returns {Row[]} */
const rowsAlong = (bench, role, axis) =>
  bench.nodes
    .filter((node) => node.role === role && node.kind === 'op' && node.layer !== null)
    .map((node) => {
      const { stack, layer, part, shape } = node;
      const cross = part === 'cross_attn' ? ' cross' : '';
      return {
        ...{
          label: labelOf(bench, node, cross),
          stack: String(stack),
          layer: Number(layer),
          part: String(part),
        },
        count: shape[axis],
        regionsAt: (place) => [
          region(
            node,
            shape.map((_, i) => (i === axis ? place : null)),
          ),
        ],
      };
    });

/** The sublayers' outputs of each layer, all at once.
 * @param {Bench} bench
 * @returns {Row[]} */
const rowsOfLayers = (bench) =>
  bench.stacks.flatMap((stack) => {
    const all = additionsOf(bench, stack);
    return [...new Set(all.map(({ layer }) => layer))].map((layer) => {
      const additions = all.filter((one) => one.layer === layer);
      return {
        ...{ label: labelOf(bench, additions[0].node), stack, layer: Number(layer), part: '' },
        count: 1,
        regionsAt: () => additions.map(({ output }) => region(output, [])),
      };
    });
  });

/** The stream that enters each layer, position by position.
 * @param {Bench} bench
 * @returns {Row[]} */
const rowsOfPositions = (bench) =>
  bench.stacks.flatMap((stack) =>
    additionsOf(bench, stack)
      .filter(({ layer }, i, all) => layer !== all[i - 1]?.layer)
      .map(({ node, from }) => ({
        ...{ label: labelOf(bench, node), stack, layer: Number(node.layer), part: '' },
        count: from.shape[1],
        regionsAt: (position) => [region(from, [null, position])],
      })),
  );

/** @param {Bench} bench @param {Each} each */
export function rowsOf(bench, each) {
  if (each === 'head') return rowsAlong(bench, 'mix', 1);
  if (each === 'neuron') return rowsAlong(bench, 'activation', 2);
  return each === 'layer' ? rowsOfLayers(bench) : rowsOfPositions(bench);
}

/** A step and some of its cells, by name.
 * @param {string} where @param {Bench} bench @param {Place} place */
function regionOfNode(where, bench, { node: name, index }) {
  const node = bench.tape.find(checkText(`${where}: node`, name));
  if (node.kind !== 'op')
    throw rangeError('computedNode', { where: `${where}: node`, name: node.name });
  if (index !== undefined) {
    checkArray(`${where}: index`, index);
    checkInteger(`${where}: index: length`, index.length, 0, node.shape.length);
    index.forEach((i, axis) => {
      if (i !== null) checkInteger(`${where}: index[${axis}]`, i, 0, node.shape[axis] - 1);
    });
  }
  return region(node, index ?? []);
}

/** The sublayers of one layer, or one of them.
 * @param {string} where @param {Bench} bench @param {Place} place @param {'encoder' | 'decoder'} stack
 * @returns {Region[]} */
function regionsOfLayer(where, bench, { layer, part }, stack) {
  const matches = additionsOf(bench, stack).filter(
    (one) => one.layer === layer && (part === undefined || one.part === part),
  );
  if (matches.length > 0) return matches.map(({ output }) => region(output, []));
  throw rangeError('noPartAt', { where, part: part ?? 'sublayer', layer: Number(layer), stack });
}

/** @param {string} where @param {Bench} bench @param {unknown} value @param {readonly string[]} [more] what else it may say
 * @returns {Region[]} */
export function regionsOf(where, bench, value, more = []) {
  checkOptions(where, value, [...PLACE, ...more]);
  const place = /** @type {Place} */ (value);
  if (place.node !== undefined) return [regionOfNode(where, bench, place)];
  const { layer, part } = place;
  const stack = checkStack(where, bench, place);
  if (part !== undefined) checkWord(`${where}: part`, part, Object.keys(PARTS));
  const kinds = /** @type {const} */ (['head', 'neuron', 'position']);
  const names = kinds.filter((kind) => place[kind] !== undefined);
  if (names.length > 1) throw typeError('onePlace', { where, names: names.join(', ') });
  const [kind] = names;
  if (kind === undefined) return regionsOfLayer(where, bench, place, stack);
  const partName = kind === 'head' ? (part ?? 'self_attn') : undefined;
  const row = rowsOf(bench, kind).find(
    (one) =>
      one.layer === layer &&
      one.stack === stack &&
      (partName === undefined || one.part === partName),
  );
  if (!row)
    throw rangeError('noPartAt', { where, part: partName ?? kind, layer: Number(layer), stack });
  const index = place[kind];
  checkInteger(`${where}: ${kind}`, index, 0, row.count - 1);
  return row.regionsAt(/** @type {number} */ (index));
}
