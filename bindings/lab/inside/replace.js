// The values that replace those which an experiment removes: zeros, means over a set, another run's values.

import { checkArray, checkOptions } from '../../js/base/errors.js';
import { asPart } from '../../js/base/turn.js';
import { sizeOf } from '../../js/base/values.js';
import { Bench, floatsOf } from './bench.js';
import { rangeError, typeError } from './texts.js';

/** @typedef {import('./bench.js').Changes} Changes */
/** @typedef {import('./bench.js').Inputs} Inputs */
/** @typedef {import('./bench.js').Model} Model */
/** @typedef {import('./places.js').Region} Region */
/** @typedef {import('../../js/tape/tensor.js').Tensor} Tensor */

/** 'zero'; or the mean of each channel over all tokens of a set; or what another run of the same length has there.
 * @typedef {'zero' | { mean: readonly Inputs[] } | { run: Inputs }} Value */

/** New values of nodes, whole. @typedef {ReadonlyMap<Tensor, Float32Array>} Values */

/** Changes that put new values into regions.
 * @param {readonly Region[]} regions @param {Values} values
 * @returns {Changes} */
export function changesOf(regions, values) {
  /** @type {Map<Tensor, Int32Array[]>} */
  const cells = new Map();
  for (const { node, cells: list } of regions) cells.set(node, [...(cells.get(node) ?? []), list]);
  return new Map(
    [...cells].map(([node, lists]) => [
      node,
      (data) => {
        const from = /** @type {Float32Array} */ (values.get(node));
        for (const list of lists) for (const cell of list) data[cell] = from[cell];
      },
    ]),
  );
}

/** Whether the values of regions have the bits of others: before the first word that differs, two runs have.
 * @param {readonly Region[]} regions @param {Values} values @param {Values} others */
export const areSame = (regions, values, others) =>
  regions.every(({ node, cells }) => {
    const [a, b] = [values, others].map((all) => {
      const data = /** @type {Float32Array} */ (all.get(node));
      return new Int32Array(data.buffer, data.byteOffset, data.length);
    });
    return cells.every((cell) => a[cell] === b[cell]);
  });

/** The cells of regions, by their node.
 * @param {readonly Region[]} regions */
export function cellsOf(regions) {
  /** @type {Map<Tensor, Set<number>>} */
  const cells = new Map();
  for (const { node, cells: list } of regions)
    cells.set(node, new Set([...(cells.get(node) ?? []), ...list]));
  return cells;
}

/** Another run, of sequences as long as those of a bench.
 * @param {Model} model @param {Inputs} inputs @param {Bench} bench @param {string} option
 * @param {import('./bench.js').More} [more] */
export function secondRun(model, inputs, bench, option, more) {
  const where = `${bench.where}: ${option}`;
  const other = new Bench(where, model, inputs, more);
  for (const { kind, role, name, shape } of bench.nodes) {
    if (kind !== 'ids' || role !== 'tokens') continue;
    const [n, length] = [shape, other.tape.find(name).shape].map(([, length]) => length);
    if (n === length) continue;
    other.dispose();
    throw rangeError('tokensOf', { where: `${where}: ${name}`, n, given: length });
  }
  return other;
}

/** The node of the same name on another bench: its values there.
 * @param {readonly Tensor[]} nodes @param {Bench} other
 * @returns {Values} */
export const valuesOn = (nodes, other) =>
  new Map(nodes.map((node) => [node, floatsOf(other.tape.find(node.name)).slice()]));

/** How the values of a node lie: blocks, each of as many rows as there are tokens. slotOf: where the mean over these rows
 * of a value is, among the means.
 * @param {Tensor} node @param {string} where */
function layoutOf({ name, axes, shape, size }, where) {
  const axis = axes.indexOf('token');
  if (axis < 0) throw rangeError('tokenless', { where, name, node: name });
  const length = shape[axis];
  const width = sizeOf(shape.slice(axis + 1));
  return {
    ...{ length, means: size / length },
    slotOf: (/** @type {number} */ offset) =>
      Math.floor(offset / (length * width)) * width + (offset % width),
  };
}

/** The mean of nodes over all tokens of a set of runs, at each token.
 * @param {Model} model @param {readonly Inputs[]} set @param {readonly Tensor[]} nodes @param {string} where
 * @returns {Generator<number, Values>} */
function* meansOf(model, set, nodes, where) {
  const sums = nodes.map((node) => new Float64Array(layoutOf(node, where).means));
  const counts = nodes.map(() => 0);
  for (const [i, inputs] of set.entries()) {
    const other = new Bench(`${where}[${i}]`, model, inputs);
    try {
      yield* asPart(other.running(), i / set.length, 0);
      for (const [place, { name }] of nodes.entries()) {
        const node = other.tape.find(name);
        const { length, slotOf } = layoutOf(node, where);
        floatsOf(node).forEach((value, offset) => {
          sums[place][slotOf(offset)] += value;
        });
        counts[place] += length;
      }
    } finally {
      other.dispose();
    }
    yield i / set.length;
  }
  return new Map(
    nodes.map((node, place) => {
      const { slotOf } = layoutOf(node, where);
      const mean = (/** @type {unknown} */ _, /** @type {number} */ offset) =>
        sums[place][slotOf(offset)] / counts[place];
      return [node, Float32Array.from({ length: node.size }, mean)];
    }),
  );
}

/** Checks a value, and gives what makes new values of nodes of it.
 * @param {Model} model @param {Bench} bench @param {Value} [value]
 * @returns {(nodes: readonly Tensor[]) => Generator<number, Values>} */
export function replacing(model, bench, value = 'zero') {
  const where = `${bench.where}: value`;
  if (value === 'zero') {
    return function* (nodes) {
      return new Map(nodes.map((node) => [node, new Float32Array(node.size)]));
    };
  }
  if (typeof value !== 'object' || value === null || 'mean' in value === 'run' in value) {
    throw typeError('newValue', { where, given: value });
  }
  checkOptions(where, value, ['mean', 'run']);
  if ('mean' in value) {
    checkArray(`${where}: mean`, value.mean);
    if (value.mean.length === 0) throw rangeError('emptySet', { where: `${where}: mean` });
    return (nodes) => meansOf(model, value.mean, nodes, `${where}: mean`);
  }
  const other = secondRun(model, value.run, bench, 'value: run');
  return function* (nodes) {
    try {
      yield* other.running();
      return valuesOn(nodes, other);
    } finally {
      other.dispose();
    }
  };
}
