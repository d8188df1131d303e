// What an argument may be, told by one good value; and from that, what it may not be.

import { inspect } from 'node:util';

export const INT32 = 2 ** 31 - 1;
export const UINT32 = 2 ** 32 - 1;

/** A wrong value, and what the error's message must contain: one of the words. label: how it is told.
 * @typedef {{ value: any, words: string[], label: string }} Wrong */
/** @typedef {{ good: any, wrong: Wrong[] }} Kind */

/** Something of the subject, which is another for each call. */
export class Ref {
  /** @param {string} name */
  constructor(name) {
    this.name = name;
  }
}

/** @param {any} value @param {string[]} words
 * @returns {Wrong} */
const wrong = (value, ...words) => ({
  value,
  words,
  label: inspect(value, { depth: 2, breakLength: Number.POSITIVE_INFINITY }),
});

/** What nobody should pass, in all kinds. */
const ODD = [
  wrong(undefined, 'undefined'),
  wrong(null, 'null'),
  wrong(Number.NaN, 'NaN'),
  wrong(-1, '-1'),
  wrong(0, ' 0', '[0]'),
  wrong(1.5, '1.5'),
  wrong(2 ** 31, String(2 ** 31)),
  wrong(2 ** 32, String(2 ** 32)),
  wrong(Number.POSITIVE_INFINITY, 'Infinity'),
  wrong(true, 'true'),
  wrong('odd', 'odd'),
  wrong(7n, '7n'),
  wrong(Symbol('odd'), 'Symbol(odd)'),
  wrong({ odd: 1 }, 'an object {odd}', '"odd"'),
  wrong(['odd'], 'array of 1', 'odd'),
  wrong(() => 1, 'function'),
];

/** Views whose buffer is gone. */
function detached() {
  const view = new Float32Array([1, 2]);
  structuredClone(view.buffer, { transfer: [view.buffer] });
  return view;
}

/** An argument that takes some of the odd values, and refuses more of its own.
 * @param {any} good @param {(value: any) => boolean} takes @param {Wrong[]} [more]
 * @returns {Kind} */
const kind = (good, takes, more = []) => ({
  good,
  wrong: [...ODD.filter(({ value }) => !takes(value)), ...more],
});

/** @param {Kind} kind may be left out */
export const optional = ({ good, wrong }) => ({
  good,
  wrong: wrong.filter(({ value }) => value !== undefined),
});

/** @param {Kind} kind may be null, which is as if left out */
export const nullable = ({ good, wrong }) => ({
  good,
  wrong: wrong.filter(({ value }) => value !== undefined && value !== null),
});

/** @param {number} good @param {number} low @param {number} high */
export const integer = (good, low, high) =>
  kind(
    good,
    (value) => Number.isInteger(value) && value >= low && value <= high,
    [low - 1, high + 1].map((value) => wrong(value, String(value))),
  );

/** @param {number} good @param {number} [low] @param {number} [high] @param {(value: number) => boolean} [takes] */
export const real = (good, low = -3e38, high = 3e38, takes = () => true) =>
  kind(good, (value) => typeof value === 'number' && value >= low && value <= high && takes(value));

/** @param {boolean} good */
export const boolean = (good) => kind(good, (value) => typeof value === 'boolean');

/** @param {boolean} good */
export const flag = (good) => optional(boolean(good));

/** @param {string} good */
export const word = (good) => kind(good, () => false, [wrong('', '""')]);

/** A name of a new node. @param {string} good @param {string} taken */
export const newName = (good, taken) =>
  kind(good, (value) => value === 'odd', [
    wrong('', 'needs a name'),
    wrong('n'.repeat(96), 'longer than 95'),
    wrong('é'.repeat(48), 'longer than 95'),
    wrong('a\0b', 'a\\u0000b'),
    wrong(taken, taken),
  ]);

/** A name of a node that is there, or the node. @param {any} good @param {Wrong[]} [more] */
export const node = (good, more = []) =>
  kind(good, () => false, [wrong('', '""'), wrong('n'.repeat(500), 'nnnn'), ...more]);

/** @param {any} good @param {Wrong[]} [more] tensors that are none of this tape */
export const tensor = (good, more = []) =>
  kind(good, () => false, [wrong('x', '"x"'), wrong([good], 'array of 1'), ...more]);

/** @param {any} good @param {Wrong[]} more */
export const other = (good, more = []) => kind(good, () => false, more);

/** Something that any object is. @param {object} good @param {Wrong[]} [more] */
export const thing = (good, more = []) => kind(good, (value) => value instanceof Object, more);

/** @param {number[]} good */
export const shape = (good) =>
  kind(good, () => false, [
    wrong([], '[]', 'rank'),
    wrong([2, 0], '[2,0]', 'received 0'),
    wrong([2, -1], '[2,-1]', 'received -1'),
    wrong([2, 2 ** 31], String(2 ** 31)),
    wrong([2, 1.5], '1.5'),
    wrong([2, Number.NaN], 'NaN'),
    wrong([2, '2'], '"2"'),
    wrong([2, Symbol('odd')], 'Symbol(odd)'),
    wrong([65536, 65536], '65536,65536', '17179869184'),
    wrong([1, 1, 1, 1, 1], '[1,1,1,1,1]'),
    wrong({ 0: 2, length: 1 }, 'an object {0, length}'),
  ]);

/** Numbers in nested arrays, or as { data, shape }.
 * @param {any} good @param {{ number?: boolean, ids?: boolean, mask?: boolean, vector?: boolean }} [how]
 *   number: one alone will do */
export const values = (good, { number = false, ids = false, mask = false } = {}) =>
  kind(good, (value) => number && typeof value === 'number', [
    wrong([['odd']], '"odd"'),
    wrong([[null]], 'null'),
    wrong([[undefined]], 'undefined'),
    wrong([[Symbol('odd')]], 'Symbol(odd)'),
    wrong([[7n]], '7n'),
    wrong(new BigInt64Array([7n]), '7n'),
    wrong([[1, 2], [3]], 'array of 1'),
    wrong([[1, 2], 3], 'received 3'),
    wrong([[1], [[2]]], 'array of 1'),
    wrong(new DataView(new ArrayBuffer(8)), 'DataView'),
    wrong(new ArrayBuffer(8), 'ArrayBuffer'),
    wrong(detached(), 'detached Float32Array'),
    wrong({ data: detached(), shape: [2] }, 'detached Float32Array'),
    wrong({ data: undefined }, 'undefined'),
    wrong({ data: null, shape: [1] }, 'null'),
    wrong({ data: 5 }, 'received 5'),
    wrong({ data: 'odd' }, '"odd"'),
    wrong({ data: { length: 2 ** 40 } }, 'an object {length}'),
    wrong({ data: [1, 2, 3], shape: [2, 2] }, 'array of 3'),
    wrong({ data: [1, 2], shape: 'odd' }, '"odd"'),
    wrong({ data: [1, 2], shape: [Number.NaN] }, 'NaN'),
    wrong({ data: [1, 2], shape: [-2] }, '-2'),
    wrong({ data: [1, 2], shape: [-1, -2] }, '-1'),
    wrong({ data: [1, 2], shape: [0.5, 4] }, '0.5'),
    wrong({ data: [1, 2], shape: [2 ** 31 - 1] }, 'array of 2'),
    wrong({ data: [1, 2], shape: [65536, 65536] }, 'array of 2'),
    wrong({ data: [1, 2], shape: [2 ** 31] }, String(2 ** 31)),
    wrong({ data: [1, 2], shape: [Symbol('odd')] }, 'Symbol(odd)'),
    ...(mask ? [] : [wrong([[true, false]], 'true')]),
    ...(ids
      ? [
          wrong([0.5], '0.5'),
          wrong([Number.NaN], 'NaN'),
          wrong([2 ** 31], String(2 ** 31)),
          wrong([-(2 ** 31) - 1], String(-(2 ** 31) - 1)),
        ]
      : []),
  ]);

/** Matrices of one shape.
 * @param {number[][]} good */
export function filled(good) {
  const [rows, columns] = [good.length, good[0].length];
  const last = (cell) => good.with(-1, good[rows - 1].with(-1, cell));
  const size = rows * columns;
  return kind(good, () => false, [
    wrong(last('odd'), '"odd"'),
    wrong(last(null), 'null'),
    wrong(last(undefined), 'undefined'),
    wrong(last(7n), '7n'),
    wrong(last(true), 'true'),
    wrong(last(Symbol('odd')), 'Symbol(odd)'),
    wrong(last([1]), 'array of 1'),
    wrong([...good, good[0]], `array of ${rows + 1}`),
    wrong(good.with(-1, [1]), 'array of 1'),
    wrong(good.with(-1, 3), 'received 3'),
    wrong(good.flat(), `array of ${size}`),
    wrong(new Float32Array(size + 1), `Float32Array of ${size + 1}`),
    wrong(new BigInt64Array(size), '0n'),
    wrong(new DataView(new ArrayBuffer(4 * size)), 'DataView'),
    wrong(detached(), 'detached Float32Array'),
    wrong({ data: detached() }, 'detached Float32Array'),
    wrong({ data: undefined }, 'undefined'),
    wrong({ data: [1] }, 'array of 1'),
    wrong({ data: good.flat(), shape: [size] }, `[${size}]`),
    wrong({ data: good.flat(), shape: [columns + 1, rows] }, `[${columns + 1},${rows}]`),
    wrong({ data: good.flat(), shape: 'odd' }, '"odd"'),
  ]);
}

/** Tokens of a model, each below the vocabulary. @param {any} good @param {number} vocab */
export const tokens = (good, vocab) =>
  kind(good, () => false, [
    wrong([], 'array of 0'),
    wrong([[]], 'array of 0'),
    wrong([vocab], `received ${vocab}`),
    wrong([-1], '-1'),
    wrong([1.5], '1.5'),
    wrong([Number.NaN], 'NaN'),
    wrong([[1], 'odd'], '"odd"'),
    wrong([[1], [Symbol('odd')]], 'Symbol(odd)'),
    wrong(['1'], '"1"'),
    wrong([[[1]]], 'array of 1'),
    wrong(Array(100).fill(1), 'received 100'),
    wrong(detached(), 'detached Float32Array'),
    wrong(new DataView(new ArrayBuffer(8)), 'DataView'),
  ]);

/** A cell. @param {number[]} good */
export const index = (good) =>
  kind(good, () => false, [
    wrong([], '[]'),
    wrong(good.slice(1), `[${good.slice(1)}]`),
    wrong([...good, 0], `[${[...good, 0]}]`),
    ...[-1, 0.5, Number.NaN, 2 ** 31, 2 ** 32, '0', null, undefined].map((value) =>
      wrong([...good.slice(1), value], String([...good.slice(1), value])),
    ),
    wrong([...good.slice(1), Symbol('odd')], 'Symbol(odd)'),
  ]);

/** Of an option that may be left out: many functions take null as left out, too. @param {Kind} kind */
const ofOption = (kind) =>
  kind.wrong.some(({ value }) => value === undefined) ? kind : nullable(kind);

/** An object of options, each a kind. @param {Record<string, Kind>} kinds @param {Wrong[]} [more] */
export function options(kinds, more = []) {
  const good = Object.fromEntries(Object.entries(kinds).map(([key, { good }]) => [key, good]));
  const each = Object.entries(kinds).flatMap(([key, kind]) =>
    ofOption(kind).wrong.map(({ value, words, label }) => ({
      value: { ...good, [key]: value },
      words,
      label: `{ ${key}: ${label} }`,
    })),
  );
  return kind(good, () => false, [...each, wrong({ ...good, odd: 1 }, '"odd"'), ...more]);
}

/** The same with more that is wrong. @param {Kind} kind @param {Wrong[]} more
 * @returns {Kind} */
export const plus = (kind, ...more) => ({ ...kind, wrong: [...kind.wrong, ...more] });

/** The same that takes some of it. @param {Kind} kind @param {(value: any) => boolean} takes
 * @returns {Kind} */
export const less = (kind, takes) => ({
  ...kind,
  wrong: kind.wrong.filter(({ value }) => !takes(value)),
});

/** A listener. */
export const callback = () =>
  less(
    other(() => {}),
    (value) => typeof value === 'function',
  );

/** A text that may be empty, or say anything. @param {string} good */
export const text = (good) => less(word(good), (value) => typeof value === 'string');

/** A list of any texts. @param {string[]} good */
export const listOfTexts = (good) =>
  less(
    other(good, [wrong([3], '3'), wrong([null], 'null')]),
    (value) => Array.isArray(value) && typeof value[0] === 'string',
  );

export { wrong };
