// What every template may call, and what a loop tells of itself.

import { text } from './methods.js';
import { strftime } from './time.js';
import { Callable, Dict, fail, integer, iterate, Missing, Namespace, Range } from './values.js';

/** @typedef {import('./values.js').Budget} Budget */
/** @typedef {import('./values.js').Loop} Loop */
/** @typedef {import('./values.js').Value} Value */

/** Python's sandbox allows so many numbers. */
const MAX_RANGE_LENGTH = 100_000n;

/** @param {Value[]} args */
function range(args) {
  if (!args.length || args.length > 3) return fail('range: expected 1 to 3 ints');
  const ints = args.map((one) => integer(one, 'range'));
  const [start, stop, step] =
    ints.length === 1 ? [0n, ints[0], 1n] : [ints[0], ints[1], ints[2] ?? 1n];
  if (!step) return fail('range: the step is 0');
  const made = new Range(start, stop, step);
  return made.length > MAX_RANGE_LENGTH
    ? fail(`a range of more than ${MAX_RANGE_LENGTH} numbers`)
    : made;
}

/** @param {Value | undefined} source @param {Map<string, Value>} named @param {Budget} budget */
function dictOf(source, named, budget) {
  const made = new Dict(source instanceof Dict ? source.pairs : []);
  if (source !== undefined && !(source instanceof Dict)) {
    for (const pair of iterate(source, budget)) {
      const [key, value, ...more] = iterate(pair, budget);
      if (value === undefined || more.length) return fail('dict: expected pairs');
      made.set(key, value);
    }
  }
  budget.elements(2 * made.size);
  for (const [key, value] of named) made.set(key, value);
  return made;
}

/** @type {Record<string, (args: Value[], named: Map<string, Value>, budget: Budget) => Value>} */
export const GLOBALS = {
  range,
  dict: ([source], named, budget) => dictOf(source, named, budget),
  namespace: ([source], named, budget) => {
    const made = new Namespace();
    for (const [key, value] of dictOf(source, named, budget).pairs) {
      made.members.set(text(key, 'namespace'), value);
    }
    return made;
  },
  raise_exception: ([reason]) => fail(text(reason, 'raise_exception')),
  strftime_now: ([format]) => strftime(text(format, 'strftime_now'), new Date()),
  ...Object.fromEntries(
    ['lipsum', 'cycler', 'joiner'].map((name) => [name, () => fail(`${name} is not supported`)]),
  ),
};

/** What a loop says of itself.
 * @type {Record<string, (loop: Loop) => Value>} */
export const LOOP = {
  index: ({ index }) => BigInt(index + 1),
  index0: ({ index }) => BigInt(index),
  revindex: ({ items, index }) => BigInt(items.length - index),
  revindex0: ({ items, index }) => BigInt(items.length - index - 1),
  first: ({ index }) => index === 0,
  last: ({ items, index }) => index === items.length - 1,
  length: ({ items }) => BigInt(items.length),
  previtem: ({ items, index }) => (index ? items[index - 1] : new Missing('the previous item')),
  nextitem: ({ items, index }) =>
    index + 1 < items.length ? items[index + 1] : new Missing('the next item'),
  depth: ({ depth }) => BigInt(depth),
  depth0: ({ depth }) => BigInt(depth - 1),
  cycle: ({ index }) =>
    new Callable('cycle', (args) =>
      args.length ? args[index % args.length] : fail('no items for cycling given'),
    ),
};
