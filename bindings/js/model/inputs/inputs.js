// What a model is run on: sequences, masks and labels, checked, and written into the leaves of a tape.

import { checkOptions, rangeError, typeError } from '../../base/errors.js';
import { isList } from '../../base/values.js';
import { valuesOf } from '../../tape/tensor.js';
import { architectureOf, reads } from '../config/architecture.js';
import {
  checkId,
  checkLabel,
  checkVector,
  IGNORE,
  readSequences,
  writeSequences,
} from './sequences.js';

/** @typedef {import('../../tape/tape.js').Tape} Tape */
/** @typedef {import('../config/config.js').Batch} Batch */
/** @typedef {import('../config/config.js').Config} Config */
/** @typedef {import('./sequences.js').Sequences} Sequences */
/** @template T @typedef {import('../../base/values.js').Nested<T>} Nested */

/**
 * @typedef {object} Inputs
 * @property {Nested<number>} [source] transformer: lists of ids (of vectors, without vocab), one per sequence
 * @property {Nested<number>} [target] likewise, for the decoder, or the only stack
 * @property {Nested<number>} [labels] the target token at each position; -100 is ignored
 * @property {Nested<number>} [tokenTypes] bert: one per token; 0 by default
 * @property {Nested<number | boolean>} [sourceMask] [S,S] or [B,S,S]: true where a place may see another; or numbers, which
 *   are added to the scores
 * @property {Nested<number | boolean>} [targetMask] [T,T] or [B,T,T]
 * @property {Nested<number | boolean>} [memoryMask] [T,S] or [B,T,S]
 */

const INPUTS = [
  'source',
  'target',
  'labels',
  'tokenTypes',
  'sourceMask',
  'targetMask',
  'memoryMask',
];

/** Refuses what is no object of inputs, or has others.
 * @param {string} where @param {Config} config @param {unknown} inputs
 * @param {readonly string[]} [more] options that stand among them */
export function checkInputs(where, config, inputs, more = []) {
  const all = [...INPUTS, ...more];
  const hinted = all.filter((one) => reads(config, 'source') || !/^(source|memory)/.test(one));
  checkOptions(where, inputs, all, 'inputs', hinted);
}

/** The sequences whose tokens ask, and are asked. */
const MASKS = /** @type {const} */ ({
  sourceMask: { rows: 'source', columns: 'source' },
  targetMask: { rows: 'target', columns: 'target' },
  memoryMask: { rows: 'target', columns: 'source' },
});

/** A mask, read: [B,Tq,Tk].
 * @typedef {{ rows: number, columns: number, data: number[] }} Mask */

/** @param {string} where @param {Sequences} expected @param {Sequences} actual */
function checkLengths(where, expected, actual) {
  if (actual.rows.length !== expected.rows.length) {
    throw rangeError('sequences', { where, n: expected.rows.length, given: actual.rows.length });
  }
  for (const [i, n] of expected.lengths.entries()) {
    if (actual.lengths[i] === n) continue;
    throw rangeError('tokensOf', { where: `${where}[${i}]`, n, given: actual.lengths[i] });
  }
}

/** What a cell of a mask adds to its score.
 * @param {string} where @param {unknown} cell */
function addend(where, cell) {
  if (typeof cell === 'boolean') return cell ? 0 : Number.NEGATIVE_INFINITY;
  if (typeof cell === 'number') return cell;
  throw typeError('booleanOrNumber', { where, given: cell });
}

/** A mask [B,Tq,Tk], from that or from [Tq,Tk].
 * @param {string} where @param {unknown} mask @param {readonly number[]} shape
 * @returns {Mask} */
function readMask(where, mask, [size, rows, columns]) {
  /** @param {unknown} list @param {number} length @param {string} place
   * @returns {any[]} */
  const items = (list, length, place) => {
    if (isList(list) && list.length === length) return Array.from(list);
    throw rangeError('maskShape', { where: place, size, rows, columns, given: list });
  };
  const deep = isList(mask) && isList(mask[0]) && isList(mask[0][0]);
  const matrices = deep ? items(mask, size, where) : Array(size).fill(mask);
  const data = matrices.flatMap((matrix, b) =>
    items(matrix, rows, `${where}[${b}]`).flatMap((row, i) =>
      items(row, columns, `${where}[${b}][${i}]`).map((cell, j) =>
        addend(`${where}[${b}][${i}][${j}]`, cell),
      ),
    ),
  );
  return { rows, columns, data };
}

/** Writes a mask into a leaf [B,1,Tq,Tk] that is as large or larger: what lies beyond is padding. Without
 * a mask nothing is hidden.
 * @param {import('../../tape/tensor.js').Tensor} leaf @param {Mask} [mask] */
function writeMask(leaf, mask) {
  const [, , height, width] = leaf.shape;
  const data = valuesOf(leaf);
  data.fill(0);
  if (!mask) return;
  const { rows, columns } = mask;
  for (let from = 0; from < mask.data.length; from += columns) {
    const row = from / columns;
    const offset = (Math.floor(row / rows) * height + (row % rows)) * width;
    data.set(mask.data.slice(from, from + columns), offset);
  }
}

/** Everything that one run is given, read once and checked. */
export class Reading {
  /** @type {Map<string, Mask>} by the sequences that they are between */
  #masks = new Map();

  /** @param {string} where @param {Config} config @param {Inputs} inputs */
  constructor(where, config, inputs) {
    const { kind, vocab, sourceVocab, maxLength, dModel, tokenTypes } = config;
    const { logits } = architectureOf(config);
    const [two, writes] = [reads(config, 'source'), reads(config, 'target')];
    this.where = where;
    /** @param {'source' | 'target'} key @param {number} size */
    const tokens = (key, size) =>
      readSequences(`${where}: ${key}`, inputs[key], {
        maxLength,
        ...(vocab ? { check: checkId(size) } : { check: checkVector(dModel), width: dModel }),
      });
    if (!two && inputs.source !== undefined) {
      throw typeError('oneSided', { where: `${where}: source`, kind });
    }
    if (kind !== 'bert' && inputs.tokenTypes !== undefined) {
      throw typeError('onlyOf', { where: `${where}: tokenTypes`, kind: 'bert' });
    }
    /** @type {Sequences | null} */
    this.source = two ? tokens('source', sourceVocab || vocab) : null;
    /** @type {Sequences | null} */
    this.target = writes ? tokens('target', vocab) : null;
    if (this.source && this.target && this.source.rows.length !== this.target.rows.length) {
      const [sources, targets] = [this.source.rows.length, this.target.rows.length];
      throw rangeError('sourcesAndTargets', { where, sources, targets });
    }
    /** @param {'labels' | 'tokenTypes'} key @param {(where: string, id: unknown) => void} check */
    const besides = (key, check) => {
      if (inputs[key] === undefined) return null;
      if (!this.target || (key === 'labels' && !logits)) {
        throw typeError('modelHasNo', { where: `${where}: ${key}`, missing: 'logits' });
      }
      const read = readSequences(`${where}: ${key}`, inputs[key], { maxLength, check });
      checkLengths(`${where}: ${key}`, this.target, read);
      return read;
    };
    this.labels = besides('labels', checkLabel(vocab));
    this.tokenTypes = besides('tokenTypes', checkId(tokenTypes));
    this.#readMasks(inputs);
  }

  /** @param {Inputs} inputs */
  #readMasks(inputs) {
    const { where } = this;
    for (const [key, sides] of Object.entries(MASKS)) {
      const mask = inputs[/** @type {keyof Inputs} */ (key)];
      if (mask === undefined) continue;
      const [rows, columns] = [this[sides.rows], this[sides.columns]];
      if (!rows || !columns) {
        const missing = rows ? sides.columns : sides.rows;
        throw typeError('modelHasNo', { where: `${where}: ${key}`, missing, given: mask });
      }
      const shape = [rows.rows.length, rows.longest, columns.longest];
      this.#masks.set(`${sides.rows} ${sides.columns}`, readMask(`${where}: ${key}`, mask, shape));
    }
  }

  /** How many labels count. */
  get count() {
    return this.labels?.rows.flat().filter((id) => id !== IGNORE).length ?? 0;
  }

  /** The shape of the tape that takes it.
   * @param {(length: number) => number} [round] makes lengths longer, so that tapes fit more batches
   * @returns {Required<Pick<Batch, 'size' | 'source' | 'target' | 'padded' | 'masked' | 'loss'>>} */
  batch(round = (length) => length) {
    const sides = [this.source, this.target];
    const [source, target] = sides.map((side) => (side ? round(side.longest) : 0));
    return {
      size: /** @type {Sequences} */ (this.source ?? this.target).rows.length,
      source,
      target,
      padded: sides.some((side, i) => side && (side.ragged || side.longest < [source, target][i])),
      masked: this.#masks.size > 0,
      loss: this.labels !== null,
    };
  }

  /** Fills the leaves of a tape of this shape.
   * @param {Tape} tape */
  write(tape) {
    for (const node of tape.nodes) {
      if (node.kind !== 'ids' && node.kind !== 'input') continue;
      const { role, sequences } = node;
      const side = /** @type {Sequences} */ (
        sequences.includes('source') ? this.source : this.target
      );
      if (role === 'lengths') node.set(side.lengths);
      else if (role === 'mask') writeMask(node, this.#masks.get(sequences.slice(2).join(' ')));
      else if (role === 'labels')
        writeSequences(node, /** @type {Sequences} */ (this.labels), IGNORE);
      else if (role === 'segments' && this.tokenTypes) writeSequences(node, this.tokenTypes, 0);
      else if (role === 'tokens' || role === 'input') writeSequences(node, side, 0);
    }
  }
}
