// The shuffle test: the same words in another order, and whether their outputs only move along.

import { text } from '../../app/locale/text.js';

/** @typedef {import('../../app/session.js').Example} Example */
/** @typedef {import('../../app/session.js').Trace} Trace */
/** @typedef {import('../../app/session.js').Session} Session */
/** @typedef {import('../../app/state/walk.js').State} State */
/** @typedef {{ rows: number[], from: number[], change: number, says: 'same' | 'permuted' | 'differs' }} Verdict
 * rows: how far each word's output is from that of the same word as written; from: where that one stands
 * same: both sentences are the same, as equal words changed places */

/** Differences below this part of the largest output are rounding. */
const ROUNDING = 1e-5;

/**
 * The example with its words in another order.
 * @param {Example} example
 * @param {number[]} order
 * @returns {Example}
 */
export const shuffled = (example, order) => ({
  ...example,
  tokens: order.map((from) => example.tokens[from]),
  inputs: { ...example.inputs, tokens: order.map((from) => example.inputs?.tokens[from]) },
});

/**
 * The order that a state asks for, or the one with the first word at the end; throws if it is none of so
 * many words.
 * @param {number[] | null} order
 * @param {number} words
 */
export function orderOf(order, words) {
  const all = Array.from({ length: words }, (_, k) => k);
  if (!order) return [...all.slice(1), 0];
  if (order.length !== words || all.some((k) => !order.includes(k))) {
    throw new RangeError(text('page/noOrder', { n: words, order: order.join('.') }));
  }
  return order;
}

/** @param {number[]} tokens @param {number[]} order */
export const isReversed = (tokens, order) =>
  order.every((from, to) => tokens[from] === tokens[order.length - 1 - to]);

/** The words of the other order, each with one as written: the same word, and of several the one whose output is
 * nearest, so that no two words share one.
 * @param {number[]} tokens @param {number[]} order @param {(from: number, to: number) => number} distance */
function matched(tokens, order, distance) {
  const pairs = order.flatMap((word, to) =>
    tokens.flatMap((token, from) =>
      token === tokens[word] ? [{ from, to, apart: distance(from, to) }] : [],
    ),
  );
  /** @type {number[]} */
  const places = [];
  for (const { from, to } of pairs.sort((a, b) => a.apart - b.apart)) {
    if (places[to] === undefined && !places.includes(from)) places[to] = from;
  }
  return places;
}

/**
 * How far each word's output is from the one that the same word has as written.
 * @param {Trace} before
 * @param {Trace} after
 * @param {number[]} tokens as written
 * @param {number[]} order
 * @returns {Verdict} rows, from: one number per word of the other order
 */
export function compare(before, after, tokens, order) {
  const [one, other] = [before.step('output').data, after.step('output').data];
  const width = one.length / order.length;
  const distance = (/** @type {number} */ from, /** @type {number} */ to) => {
    let most = 0;
    for (let c = 0; c < width; c++) {
      most = Math.max(most, Math.abs(one[from * width + c] - other[to * width + c]));
    }
    return Math.fround(most);
  };
  const from = matched(tokens, order, distance);
  const rows = from.map(distance);
  const change = Math.max(...rows);
  const largest = Math.max(...Array.from(one, Math.abs));
  const isSame = order.every((word, to) => tokens[word] === tokens[to]);
  const says = isSame ? 'same' : change <= ROUNDING * largest ? 'permuted' : 'differs';
  return { rows, from, change, says };
}
