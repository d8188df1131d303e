// Jinja's tests: what stands behind `is`.

import { FILTERS } from './filters.js';
import { text } from './methods.js';
import { COMPARISONS } from './operators.js';
import {
  Callable,
  contains,
  Dict,
  fail,
  Iterator,
  integer,
  isNumber,
  Missing,
  Safe,
  sizeOf,
  textOf,
  typeOf,
  View,
} from './values.js';

/** @typedef {import('./filters.js').Context} Context */
/** @typedef {import('./values.js').Value} Value */

/** @param {Value} value */
const whole = (value) => integer(value, 'value');

/** @param {'even' | 'odd'} kind @param {Value} value */
const parity = (kind, value) => {
  if (!isNumber(value)) return fail(`${kind}: expected a number, received ${typeOf(value)}`);
  const rest = Math.abs(Number(typeof value === 'number' ? value % 2 : whole(value) % 2n));
  return kind === 'even' ? rest === 0 : rest === 1;
};

/** @param {(text: string) => string} change
 * @returns {Test} */
const isCased =
  (change) =>
  (value, _, { budget }) => {
    const string = value instanceof Missing ? '' : textOf(value, budget);
    return string === change(string) && string.toLowerCase() !== string.toUpperCase();
  };

/** @typedef {(value: Value, args: Value[], context: Context) => boolean} Test */

/** @type {Record<string, Test>} */
const COMPARING = Object.fromEntries(
  Object.entries({
    '==': 'eq equalto ==',
    '!=': 'ne !=',
    '<': 'lt lessthan <',
    '<=': 'le <=',
    '>': 'gt greaterthan >',
    '>=': 'ge >=',
  }).flatMap(([sign, names]) =>
    names.split(' ').map((name) => [
      name,
      /** @type {Test} */
      (value, [other], { budget }) => COMPARISONS[sign](value, other, budget),
    ]),
  ),
);

/** @type {Record<string, Test>} */
export const TESTS = {
  ...COMPARING,
  boolean: (value) => typeof value === 'boolean',
  callable: (value) => value instanceof Callable || value instanceof Missing,
  defined: (value) => !(value instanceof Missing),
  divisibleby: (value, [by]) => {
    const divisor = whole(by);
    return divisor ? whole(value) % divisor === 0n : fail('division by zero');
  },
  escaped: (value) => value instanceof Safe,
  even: (value) => parity('even', value),
  false: (value) => value === false,
  filter: (value) => Object.hasOwn(FILTERS, text(value, 'filter')),
  float: (value) => typeof value === 'number',
  in: (value, [all], { budget }) => contains(value, all, budget),
  integer: (value) => typeof value === 'bigint',
  iterable: (value) =>
    value instanceof Iterator || value instanceof Missing || sizeOf(value) !== null,
  lower: isCased((one) => one.toLowerCase()),
  mapping: (value) => value instanceof Dict,
  none: (value) => value === null,
  number: isNumber,
  odd: (value) => parity('odd', value),
  sameas: (value, [other]) =>
    value === other &&
    (typeof value === 'boolean' ||
      value === null ||
      typeof value === 'object' ||
      fail('sameas of such values')),
  sequence: (value) =>
    value instanceof Safe || (sizeOf(value) !== null && !(value instanceof View)),
  string: (value) => typeof value === 'string' || value instanceof Safe,
  test: (value) => Object.hasOwn(TESTS, text(value, 'test')),
  true: (value) => value === true,
  undefined: (value) => value instanceof Missing,
  upper: isCased((one) => one.toUpperCase()),
};
