// The shuffle test: the same words in another order, and whether their outputs only move along.

import { text } from '../../app/locale/text.js';

/** @typedef {import('../../app/session.js').Example} Example */
/** @typedef {import('../../app/session.js').Trace} Trace */
/** @typedef {import('../../app/session.js').Session} Session */
/** @typedef {import('../../app/state/walk.js').State} State */
/** @typedef {{ rows: number[], change: number, permuted: boolean }} Verdict */

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

/** @param {number[]} order */
export const isReversed = (order) => order.every((from, to) => from === order.length - 1 - to);

/**
 * How far each word's output is from the one that it has in the other order.
 * @param {Trace} before
 * @param {Trace} after
 * @param {number[]} order
 * @returns {Verdict} rows: one number per word of the other order
 */
export function compare(before, after, order) {
  const [one, other] = [before.step('output').data, after.step('output').data];
  const width = one.length / order.length;
  const rows = order.map((from, to) => {
    let most = 0;
    for (let c = 0; c < width; c++) {
      most = Math.max(most, Math.abs(one[from * width + c] - other[to * width + c]));
    }
    return Math.fround(most);
  });
  const change = Math.max(...rows);
  const largest = Math.max(...Array.from(one, Math.abs));
  return { rows, change, permuted: change <= ROUNDING * largest };
}
