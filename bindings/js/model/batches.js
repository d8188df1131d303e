// Pairs of token ids -> batches to train on: of like lengths, within a budget of tokens, in an order
// that depends on the seed alone.

import { checkInteger, checkOptions } from '../base/errors.js';
import { shuffled } from '../base/random.js';
import { isList, UINT32 } from '../base/values.js';
import { rangeError, typeError } from './texts.js';

/** @typedef {ArrayLike<number>} Ids */
/** @typedef {{ source?: Ids, target: Ids } | Ids} Item a pair; or, for one stack, the target alone */
/** Ids, one list a sequence. source: what an encoder reads; there is none for a GPT. target: what the decoder reads. labels:
 * the ids that are to follow, position by position.
 * @typedef {{ source?: number[][], target: number[][], labels: number[][] }} Batch */

/**
 * @typedef {object} BatchOptions
 * @property {number} [tokens] at most so many on each side, padding included; 25000 by default, as the
 *   paper has it
 * @property {number} [seed] of the order
 * @property {number | null} [start] goes before each target: 1 by default, which stands for the start in the shipped models. null:
 *   nothing does, as where the ids are parts of a longer text
 * @property {number | null} [end] goes behind it: 2 by default; null: nothing does
 * @property {number} [from] how many batches were used before, to resume a run. Pairs that are not an
 *   array are read again up to there, 30 million at most
 * @property {number} [window] of pairs that are not an array, so many are sorted at a time: 2048 by default, 100,000 at
 *   most
 */

const OPTIONS = ['tokens', 'seed', 'start', 'end', 'from', 'window'];
const DEFAULT_TOKENS = 25_000;
const DEFAULT_WINDOW = 2048;
/** A window is held in memory. */
const MAX_WINDOW = 100_000;
/** Each batch has one pair or more, so no `from` beyond it is reached. */
const MAX_SKIPPED = 30_000_000;

/** A checked pair: its target between start and end, which teacher forcing divides into input and labels.
 * @typedef {{ source: number[] | null, tokens: number[] }} Example */

/** A copy; the model that reads the batch checks what it holds.
 * @param {ArrayLike<unknown>} list */
const idsOf = (list) => Array.from(/** @type {ArrayLike<number>} */ (list));

/** @param {unknown} item @param {number | null} start @param {number | null} end
 * @returns {Example} */
function exampleOf(item, start, end) {
  const { source, target } = isList(item)
    ? { source: undefined, target: item }
    : /** @type {{ source?: unknown, target?: unknown }} */ (item ?? {});
  if (!isList(target) || (source !== undefined && !isList(source))) {
    throw typeError('item', { where: 'batches', given: item });
  }
  const tokens = [...(start === null ? [] : [start]), ...idsOf(target)];
  if (end !== null) tokens.push(end);
  if (tokens.length < 2) {
    throw rangeError('twoTokens', { where: 'batches' });
  }
  return { source: source === undefined ? null : idsOf(source), tokens };
}

/** What the model reads is one token shorter than the whole: the last is only asked for.
 * @param {Example} pair */
const lengthsOf = ({ source, tokens }) => [source?.length ?? 0, tokens.length - 1];

/** Neighbours of like lengths, as many as the budget allows, at least one.
 * @param {Example[]} pairs @param {number} budget */
function pack(pairs, budget) {
  const sorted = [...pairs].sort((a, b) => {
    const [sourceA, targetA] = lengthsOf(a);
    const [sourceB, targetB] = lengthsOf(b);
    return sourceA - sourceB || targetA - targetB;
  });
  /** @type {Example[][]} */
  const groups = [];
  let longest = Number.POSITIVE_INFINITY;
  for (const pair of sorted) {
    const group = groups.at(-1) ?? [];
    const most = Math.max(longest, ...lengthsOf(pair));
    if ((group.length + 1) * most <= budget) {
      group.push(pair);
      longest = most;
    } else {
      groups.push([pair]);
      longest = Math.max(...lengthsOf(pair));
    }
  }
  return groups;
}

/** @param {Example[]} group
 * @returns {Batch} */
function batchOf(group) {
  const target = group.map(({ tokens }) => tokens.slice(0, -1));
  const labels = group.map(({ tokens }) => tokens.slice(1));
  if (!group[0].source) return { target, labels };
  return { source: group.map(({ source }) => /** @type {number[]} */ (source)), target, labels };
}

/** The pairs, portion by portion: an array over and over, in a new order each time; anything else in
 * windows, until it ends.
 * @param {Iterable<Item>} pairs @param {number} seed @param {number} window @param {number} first epoch of an array
 * @returns {Generator<Item[]>} */
function* portions(pairs, seed, window, first) {
  if (Array.isArray(pairs)) {
    for (let epoch = first; ; epoch++) yield shuffled(pairs, seed, 2 * epoch);
  }
  let portion = [];
  for (const pair of pairs) {
    portion.push(pair);
    if (portion.length < window) continue;
    yield portion;
    portion = [];
  }
  if (portion.length) yield portion;
}

/** Batches of pairs of ids, with teacher forcing: the target is <start> a b, the labels a b <end>. From an
 * array of pairs the batches never end.
 * @param {Iterable<Item>} pairs
 * @param {BatchOptions} [options]
 * @returns {Generator<Batch, void, undefined>}
 * @example
 * import { batches } from 'glassformer';
 *
 * const pairs = [{ source: [5, 6], target: [6, 5] }, { source: [7, 8], target: [8, 7] }];
 * const [batch] = batches(pairs, { start: 1, end: 2 });
 * batch.target.every((row) => row[0] === 1); // = true
 * batch.labels.every((row) => row.at(-1) === 2); // = true */
export function batches(pairs, options = {}) {
  checkOptions('batches', options, OPTIONS);
  if (!pairs || typeof pairs !== 'object' || !(Symbol.iterator in pairs)) {
    throw typeError('noPairs', { where: 'batches', given: pairs });
  }
  if (Array.isArray(pairs) && !pairs.length) {
    throw rangeError('noPairs', { where: 'batches', given: pairs });
  }
  const { tokens = DEFAULT_TOKENS, window = DEFAULT_WINDOW } = options;
  const { seed = 0, start = 1, end = 2, from = 0 } = options;
  checkInteger('batches: tokens', tokens, 1, UINT32);
  checkInteger('batches: seed', seed, 0, UINT32);
  if (start !== null) checkInteger('batches: start', start, 0, UINT32);
  if (end !== null) checkInteger('batches: end', end, 0, UINT32);
  const farthest = Array.isArray(pairs) ? Number.MAX_SAFE_INTEGER : MAX_SKIPPED;
  checkInteger('batches: from', from, 0, farthest);
  checkInteger('batches: window', window, 1, MAX_WINDOW);
  return stream();

  /** @returns {Generator<Batch, void, undefined>} */
  function* stream() {
    /** @param {Item[]} items */
    const groupsOf = (items) =>
      pack(
        Array.from(items, (item) => exampleOf(item, start, end)),
        tokens,
      );
    /* The lengths alone say how many batches there are, so each epoch has as many. */
    const each = from && Array.isArray(pairs) ? groupsOf(pairs).length : Number.POSITIVE_INFINITY;
    let passed = from - (from % each);
    let index = passed / each;
    let read = 0;
    for (const portion of portions(pairs, seed, window, index)) {
      /* Odd numbers: the even ones ordered the pairs. */
      const groups = shuffled(groupsOf(portion), seed, 2 * index++ + 1);
      const skipped = Math.min(groups.length, from - passed);
      passed += skipped;
      read += portion.length;
      if (passed < from && read >= MAX_SKIPPED) {
        throw rangeError('farFrom', {
          where: 'batches: from',
          pairs: read,
          n: passed,
          given: from,
        });
      }
      for (const group of groups.slice(skipped)) yield batchOf(group);
    }
  }
}
